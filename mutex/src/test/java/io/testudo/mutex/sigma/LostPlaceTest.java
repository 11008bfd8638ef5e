package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Two of four servers grant, one lies, and one has granted to another since a lease ran out: there
 * the contender stands in no queue. It has to ask for its place again, however often it yields and
 * inquires meanwhile.
 */
class LostPlaceTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final String LOCK = "printer";
  private static final long ROUND_TRIP = 2 * MILLI;
  private static final int LIAR = 0;
  private static final int GIVEN_AWAY = 1;

  private final SigmaClient client =
      new SigmaClient(
          SigmaProtocol.HARDENED.thresholds(4, 1),
          TIMING,
          SigmaTuning.standard(),
          Entropy.seeded(3));
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final long[] grants = new long[4];
  private long nanos = 1_000;
  private int requestsForAPlace;

  private record Answer(long atNanos, ServerId from, Message message) {}

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect :
        List.copyOf(client.step(input, new Moment(nanos, 1_000_000 + nanos / MILLI)))) {
      if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Send<ServerId> send
          && send.message() instanceof SigmaRequest request) {
        int server = send.to().index();
        requestsForAPlace += server == GIVEN_AWAY && request instanceof Request ? 1 : 0;
        answers.add(new Answer(nanos + ROUND_TRIP, send.to(), answer(server, request)));
      }
    }
  }

  private Response answer(int server, SigmaRequest request) {
    long number = number(request);
    boolean grantsIt = server > GIVEN_AWAY;
    grants[server] += grants[server] == 0 || (grantsIt && request instanceof Yield) ? 1 : 0;
    GrantId grant = new GrantId(server, grants[server]);
    Owner other = new Owner(server == LIAR ? 70 : 60, 8, 0);
    return grantsIt
        ? new Response(
            LOCK,
            0,
            request.time(),
            new Owner(request.time(), 9, 0),
            true,
            grant,
            0,
            0,
            number,
            number,
            request.time())
        : new Response(LOCK, 0, request.time(), other, false, grant, 0, 40 * MILLI, number, 0, 0);
  }

  private static long number(SigmaRequest request) {
    if (request instanceof Request it) {
      return it.number();
    } else if (request instanceof Yield it) {
      return it.number();
    } else if (request instanceof Inquiry it) {
      return it.number();
    } else {
      return ((Confirm) request).number();
    }
  }

  /** Lets the next thing happen: an answer arrives, or a timer is due. */
  private void goOn() {
    Map.Entry<TimerKey, Long> due =
        timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    Answer next = answers.peek();
    if (next != null && next.atNanos() <= due.getValue()) {
      answers.remove();
      nanos = Math.max(nanos, next.atNanos());
      step(new Input.Received<>(next.from(), next.message()));
    } else {
      nanos = Math.max(nanos, due.getValue());
      timers.remove(due.getKey());
      step(new Input.TimerFired<>(due.getKey()));
    }
  }

  @Test
  void isAskedForAgain() {
    step(new Input.Started<>(List.of()));
    Acquire wish = Acquire.of(LOCK, 100 * MILLI, Acquire.FOREVER);
    step(new Input.Called<>(new CallId<>(1), wish));
    while (nanos < 10_000 * MILLI) {
      goOn();
    }
    // It refreshes what it waits for at least that often.
    assertThat(requestsForAPlace).isGreaterThan((int) (10_000 * MILLI / TIMING.refreshNanos() / 2));
  }
}
