package io.testudo.mutex.lease;

import io.testudo.mutex.backoff.BackoffServer;
import io.testudo.mutex.backoff.Free;
import io.testudo.mutex.backoff.Locked;
import io.testudo.mutex.backoff.Refused;
import io.testudo.mutex.backoff.Release;
import io.testudo.mutex.backoff.Renew;
import io.testudo.mutex.backoff.Stale;
import io.testudo.mutex.backoff.Try;
import io.testudo.mutex.lease.Transcript.Words;
import io.testudo.mutex.protocol.GrantsLater;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One server of the backoff mutex and those who want the lock "orders" of it. Ranks are counted
 * from the server's wall clock at the start, times are in milliseconds.
 */
final class GrantingServer implements Transcript.Stage {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING =
      new LockTiming(10 * MILLI, 0.1, 100 * MILLI, 400 * MILLI, 1_000);
  private static final long WALL_MILLIS = 1_000_000;
  private static final long BASE = RankClock.atWall(WALL_MILLIS);

  /** All names but one. */
  private static final LockScope SCOPE =
      new LockScope() {
        @Override
        public boolean serves(String lock) {
          return !lock.equals("elsewhere");
        }

        @Override
        public long fenceFloor(String lock) {
          return 0;
        }
      };

  private final Map<TimerKey, Long> timers = new HashMap<>();
  private final List<StateRecord> journal = new ArrayList<>();
  private final List<String> outcome = new ArrayList<>();
  private BackoffServer server = new BackoffServer(TIMING, SCOPE);
  private long nanos;

  GrantingServer() {
    step(new Input.Started<>(List.of()));
  }

  @Override
  public List<String> play(Words line) {
    outcome.clear();
    if (line.has("restarts")) {
      server = new BackoffServer(TIMING, SCOPE);
      timers.clear();
      step(new Input.Started<>(List.copyOf(journal)));
    } else if (line.has("pass")) {
      pass(Long.parseLong(line.first()) * MILLI);
    } else {
      ClientId from = new ClientId(line.first(), line.first().hashCode(), 1);
      step(new Input.Received<>(from, message(line)));
    }
    return List.copyOf(outcome);
  }

  private static Message message(Words line) {
    String lock = line.has("elsewhere") ? "elsewhere" : "orders";
    long rank = BASE + RankClock.ofMillis(line.after("ahead", 0)) + line.after("rank", 0);
    long leaseNanos = line.after("lease", 90) * MILLI;
    long number = line.after("request", 1);
    if (line.has("tries")) {
      return new Try(lock, 0, rank, Optional.empty(), leaseNanos, number, line.has("waits"));
    }
    return line.has("renews")
        ? new Renew(lock, 0, rank, leaseNanos, number)
        : new Release(lock, 0, rank);
  }

  private void pass(long passedNanos) {
    long untilNanos = nanos + passedNanos;
    while (timers.values().stream().anyMatch(due -> due <= untilNanos)) {
      Map.Entry<TimerKey, Long> next =
          timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
      timers.remove(next.getKey());
      nanos = Math.max(nanos, next.getValue());
      int before = outcome.size();
      step(new Input.TimerFired<>(next.getKey()));
      for (int i = before; i < outcome.size(); i++) {
        outcome.set(i, "at %d ms, %s".formatted(nanos / MILLI, outcome.get(i)));
      }
    }
    nanos = untilNanos;
  }

  private void step(Input<ClientId> input) {
    Moment now = new Moment(nanos, WALL_MILLIS + nanos / MILLI);
    for (Effect<ClientId> effect : server.step(input, now)) {
      if (effect instanceof Effect.Send<ClientId> send) {
        outcome.add(send.to().principal() + ": " + words(send.message()));
      } else if (effect instanceof Effect.SetTimer<ClientId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ClientId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Persist<ClientId> persist) {
        journal.add(persist.record());
        outcome.add("the disk: a ceiling above the rank");
      } else if (effect instanceof Effect.Tell<ClientId> tell
          && tell.event() instanceof GrantsLater later) {
        outcome.add("grants nothing for %d ms".formatted(later.nanos() / MILLI));
      }
    }
  }

  private static String words(Message message) {
    if (message instanceof Free free) {
      return "granted, rank %d by request %d".formatted(free.time() - BASE, free.number());
    }
    if (message instanceof Locked locked) {
      return "denied for %d ms%s"
          .formatted(
              locked.remainingNanos() / MILLI,
              locked.quarantined() ? ", the server has restarted" : "");
    }
    if (message instanceof Refused refused) {
      return "refused, " + refused.reason().words(refused.limit(), TIMING);
    }
    return message instanceof Stale stale
        ? "stale, rank %d was granted".formatted(stale.last().time() - BASE)
        : message.toString();
  }
}
