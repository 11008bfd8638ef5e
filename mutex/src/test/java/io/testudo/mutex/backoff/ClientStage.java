package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.quorum.Access;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A client machine on its own: the test plays the servers, the clock and the application. */
final class ClientStage {
  static final long MILLI = 1_000_000L;
  static final LockTiming TIMING = new LockTiming(10 * MILLI, 0.1, 20 * MILLI, 200 * MILLI, 1_000);
  static final long HOLD = 100 * MILLI;
  static final long LEASE = TIMING.leaseNanos(HOLD);
  static final long WINDOW = TIMING.windowNanos();
  static final String LOCK = "printer";
  static final long SESSION = 7;

  private final BackoffClient client;
  private long nanos = 1_000;
  private long wallMillis = 1_000_000;
  private long calls;
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private final List<Effect<ServerId>> effects = new ArrayList<>();
  final Map<Long, Object> results = new HashMap<>();
  final List<Event> told = new ArrayList<>();

  ClientStage(Need need, int servers, int faults, BackoffTuning tuning, RankSeals seals) {
    this(need.thresholds(servers, faults), Access.ALL, tuning, seals);
  }

  ClientStage(Thresholds thresholds, Access access, BackoffTuning tuning, RankSeals seals) {
    client =
        new BackoffClient(thresholds, access, TIMING, tuning, SESSION, seals, Entropy.seeded(3));
    step(new Input.Started<>(List.of()));
  }

  static ClientStage allServers(BackoffTuning tuning) {
    return new ClientStage(BackoffProtocol.ALL_SERVERS, 4, 1, tuning, RankSeals.none());
  }

  private void step(Input<ServerId> input) {
    effects.clear();
    effects.addAll(client.step(input, now()));
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Complete<ServerId> complete) {
        results.put(complete.id().number(), complete.result());
      } else if (effect instanceof Effect.Fail<ServerId> failure) {
        results.put(failure.id().number(), failure.reason());
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        told.add(tell.event());
      }
    }
  }

  Moment now() {
    return new Moment(nanos, wallMillis);
  }

  long call(Call<?> call) {
    long number = ++calls;
    step(new Input.Called<>(new CallId<>(number), call));
    return number;
  }

  long acquire(long waitNanos) {
    return call(Acquire.of(LOCK, HOLD, waitNanos));
  }

  void cancel(long call) {
    step(new Input.Cancelled<>(new CallId<>(call)));
  }

  void hear(int server, Message message) {
    step(new Input.Received<>(new ServerId(server), message));
  }

  /** Lets time pass on both clocks; timers ring when they are due. */
  void pass(long forNanos) {
    long until = nanos + forNanos;
    while (true) {
      Optional<Map.Entry<TimerKey, Long>> next =
          timers.entrySet().stream()
              .filter(timer -> timer.getValue() <= until)
              .min(Comparator.comparingLong(Map.Entry::getValue));
      if (next.isEmpty()) {
        break;
      }
      advanceTo(Math.max(nanos, next.get().getValue()));
      timers.remove(next.get().getKey());
      List<Effect<ServerId>> before = List.copyOf(effects);
      step(new Input.TimerFired<>(next.get().getKey()));
      effects.addAll(0, before);
    }
    advanceTo(until);
  }

  private void advanceTo(long then) {
    wallMillis += then / MILLI - nanos / MILLI;
    nanos = then;
  }

  /** The machine sleeps: only the wall clock goes on. */
  void suspend(long forNanos) {
    wallMillis += forNanos / MILLI;
  }

  void forgetEffects() {
    effects.clear();
  }

  int timers() {
    return timers.size();
  }

  /** What was sent to a server since the last input, timers that rang meanwhile included. */
  List<Message> sentTo(int server) {
    List<Message> sent = new ArrayList<>();
    for (Effect<ServerId> effect : effects) {
      if (effect instanceof Effect.Send<ServerId> send && send.to().index() == server) {
        sent.add(send.message());
      }
    }
    return sent;
  }

  <M extends Message> List<M> sentTo(int server, Class<M> type) {
    return sentTo(server).stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** The last request for the lock that a server was sent since the last input. */
  Try tried(int server) {
    List<Try> tries = sentTo(server, Try.class);
    return tries.get(tries.size() - 1);
  }

  static Free free(Try request) {
    return new Free(request.lock(), request.contender(), request.time(), request.number());
  }

  Object result(long call) {
    return results.getOrDefault(call, "none yet");
  }

  TestudoException failure(long call) {
    return (TestudoException) result(call);
  }
}
