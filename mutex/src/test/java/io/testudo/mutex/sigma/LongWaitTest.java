package io.testudo.mutex.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One of many who wait: it asks again when the servers said so and not before, and the grants for
 * which it waited are as good as young ones.
 */
class LongWaitTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  private static final long HOLD = 100 * MILLI;
  private static final String LOCK = "printer";
  private static final Owner BOB = new Owner(50, 8, 0);
  private static final long TOLD = 1_100 * MILLI;

  /** On a clock that is slower than theirs: about 900 ms. */
  private static final long LEAST = TIMING.leastNanos(TOLD);

  private final SigmaClient client =
      new SigmaClient(
          SigmaProtocol.HARDENED.thresholds(4, 1),
          TIMING,
          SigmaTuning.standard(),
          Entropy.seeded(3));
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private final List<ServerId> asked = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final long[] numbers = new long[4];
  private long nanos = 1_000;
  private long time;

  private Moment now() {
    return new Moment(nanos, 1_000_000 + nanos / MILLI);
  }

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : client.step(input, now())) {
      if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Send<ServerId> send
          && send.message() instanceof Request request) {
        time = request.time();
        numbers[send.to().index()] = request.number();
        asked.add(send.to());
      } else if (effect instanceof Effect.Complete<ServerId> complete
          && complete.result() instanceof Held entered) {
        held.add(entered);
      }
    }
  }

  @BeforeEach
  void ask() {
    step(new Input.Started<>(List.of()));
    step(new Input.Called<>(new CallId<Held>(1), Acquire.of(LOCK, HOLD, Acquire.FOREVER)));
    asked.clear();
  }

  private void tells(int server, long waitNanos) {
    hears(server, BOB, false, 1, waitNanos, 0);
  }

  private void grants(int server, long waitedNanos) {
    hears(server, new Owner(time, 7, 0), true, 2, waitedNanos, numbers[server]);
  }

  private void hears(
      int server, Owner owner, boolean yours, long state, long waitNanos, long leased) {
    step(
        new Input.Received<>(
            new ServerId(server),
            new Response(
                LOCK,
                0,
                time,
                owner,
                yours,
                new GrantId(server, state),
                yours ? 0 : 9,
                waitNanos,
                numbers[server],
                leased,
                yours ? time : 0)));
  }

  /** Lets time pass with all that is due in it. */
  private void passUntil(long untilNanos) {
    while (timers.values().stream().anyMatch(due -> due <= untilNanos)) {
      Map.Entry<TimerKey, Long> first =
          timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
      nanos = Math.max(nanos, first.getValue());
      timers.remove(first.getKey());
      step(new Input.TimerFired<>(first.getKey()));
    }
    nanos = untilNanos;
  }

  @Test
  void nobodyIsAskedBeforeItSaidSo() {
    for (int server = 0; server < 4; server++) {
      tells(server, TOLD);
    }
    passUntil(1_000 + LEAST - 1);
    assertThat(asked).isEmpty();
    passUntil(1_000 + LEAST);

    assertThat(asked).hasSize(4);
  }

  @Test
  void aSilentServerIsAskedMoreAndMoreSeldomUntilTheTurnComes() {
    for (int server = 0; server < 3; server++) {
      tells(server, TOLD);
    }
    passUntil(1_000 + LEAST - 1);
    // Twenty refresh periods make forty-five; each time it waits for twice as long.
    assertThat(asked).hasSizeBetween(3, 7).containsOnly(new ServerId(3));
  }

  @Test
  void oneThatSaysItsTurnIsFarOffSilencesNobody() {
    tells(0, Long.MAX_VALUE / 4);
    passUntil(1_000 + LEAST);

    assertThat(asked).filteredOn(server -> server.index() == 1).hasSizeGreaterThan(40);
    asked.clear();
    passUntil(nanos + 3_600_000 * MILLI);
    assertThat(asked).as("in an hour").contains(new ServerId(0));
  }

  @Test
  void aGrantLastsFromWhenItWasMadeAsFarAsTheClocksOfBothAreRight() {
    Moment sent = now();
    for (int server = 0; server < 4; server++) {
      tells(server, 2 * TOLD);
    }
    passUntil(1_000 + 1_001 * MILLI);
    for (int server = 0; server < 3; server++) {
      grants(server, TOLD);
    }

    long leaseNanos = TIMING.leaseNanos(HOLD) + LEAST;
    assertThat(leaseNanos - 1_001 * MILLI).isLessThan(HOLD);
    assertThat(held).as("a clock may be wrong by more than it leaves").isEmpty();
    grants(3, TOLD);
    assertThat(held).isEmpty();
    assertThat(new Term(sent, leaseNanos).remainingNanos(now())).isPositive();
  }

  @Test
  void aGrantThatWasWaitedForIsEnteredAtOnce() {
    Moment sent = now();
    for (int server = 0; server < 4; server++) {
      tells(server, 2 * TOLD);
    }
    passUntil(1_000 + 910 * MILLI);
    for (int server = 0; server < 3; server++) {
      grants(server, TOLD);
    }

    Term term = new Term(sent, TIMING.leaseNanos(HOLD) + LEAST);
    assertThat(held).containsExactly(new Held(LOCK, time, term));
    assertThat(asked).isEmpty();
  }

  @Test
  void noServerMakesALeaseLastLongerThanWasAskedFor() {
    for (int server = 0; server < 4; server++) {
      tells(server, 2 * TOLD);
    }
    passUntil(1_000 + LEAST);
    for (int server = 0; server < 3; server++) {
      grants(server, Long.MAX_VALUE);
    }

    assertThat(held).hasSize(1);
    assertThat(held.get(0).term().remainingNanos(now()))
        .isLessThanOrEqualTo(TIMING.leaseNanos(HOLD));
  }
}
