package io.testudo.mutex.lease;

import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.lease.Transcript.Words;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client that has been granted a lock, its keeper, and the servers. Times are in milliseconds.
 */
final class KeepingClient implements Transcript.Stage {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING = LockTiming.standard();
  private static final long WINDOW = 50 * MILLI;
  private static final String LOCK = "orders";
  private static final long TOKEN = 7;

  /** Servers have granted a term. */
  private record GrantedNow(@Nullable Term term) implements Message {}

  private final class Client extends Machine<ServerId> {
    private final LeaseKeeper keeper =
        new LeaseKeeper(this, BackoffProtocol.ALL_SERVERS.thresholds(4, 1), TIMING);
    private @Nullable KeptLease lease;

    Client() {
      onCall(Acquire.class, this::onAcquire);
      onMessage(
          GrantedNow.class,
          (from, granted) -> keeper.extend(Objects.requireNonNull(lease), granted.term()));
    }

    private void onAcquire(CallId<Held> call, Acquire wish) {
      Term term = new Term(now(), wish.holdNanos());
      lease = keeper.hold(wish, wish.holdNanos(), TOKEN, term, new Grants());
      complete(call, new Held(wish.lock(), TOKEN, term));
    }

    @Override
    protected void onCancelled(CallId<?> call) {
      keeper.cancelled(call);
    }

    private final class Grants implements LeaseGrants {
      @Override
      public Term prolong(long holdNanos) {
        outcome.add("asks servers for %d ms".formatted(holdNanos / MILLI));
        return new Term(now(), holdNanos);
      }

      @Override
      public long windowNanos() {
        return WINDOW;
      }

      @Override
      public ServerSet answered() {
        return ServerSet.of(new ServerId(2));
      }

      @Override
      public void end(boolean isLost) {
        outcome.add(isLost ? "forgets its grants" : "gives its grants back");
      }
    }
  }

  private final Client client = new Client();
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private final List<String> outcome = new ArrayList<>();
  private long nanos;
  private long calls;

  KeepingClient() {
    step(new Input.Started<>(List.of()));
  }

  @Override
  public List<String> play(Words line) {
    outcome.clear();
    long millis = line.after("for", 0);
    if (line.has("holds")) {
      long keepNanos = line.after("keeps", 0) * MILLI;
      call(new Acquire(LOCK, millis * MILLI, Acquire.FOREVER, keepNanos, false));
    } else if (line.has("renews")) {
      call(new RenewCall(LOCK, TOKEN, millis * MILLI));
    } else if (line.has("releases")) {
      call(new ReleaseCall(LOCK, TOKEN));
    } else if (line.has("cancels")) {
      step(new Input.Cancelled<>(new CallId<>(line.after("call", 0))));
    } else if (line.has("pass")) {
      pass(Long.parseLong(line.first()) * MILLI);
    } else if (line.has("sleeps")) {
      nanos += millis * MILLI; // No timer rings.
    } else {
      Term term = line.has("for") ? new Term(now(), millis * MILLI) : null;
      step(new Input.Received<>(new ServerId(0), new GrantedNow(term)));
    }
    return List.copyOf(outcome);
  }

  private Moment now() {
    return new Moment(nanos, 1_000_000 + nanos / MILLI);
  }

  private void call(Call<?> call) {
    step(new Input.Called<>(new CallId<>(++calls), call));
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
        outcome.set(i, "at %d ms %s".formatted(nanos / MILLI, outcome.get(i)));
      }
    }
    nanos = untilNanos;
  }

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : client.step(input, now())) {
      if (effect instanceof Effect.SetTimer<ServerId> timer) {
        timers.put(timer.key(), nanos + timer.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> timer) {
        timers.remove(timer.key());
      } else if (effect instanceof Effect.Complete<ServerId> done) {
        answer(done.id(), words(done.result()));
      } else if (effect instanceof Effect.Fail<ServerId> failed) {
        answer(failed.id(), failed.reason().getClass().getSimpleName());
      } else if (effect instanceof Effect.Tell<ServerId> tell) {
        outcome.add("tells its user: " + words(tell.event()));
      }
    }
  }

  private void answer(CallId<?> call, String answer) {
    outcome.add("answers call %d: %s".formatted(call.number(), answer));
  }

  private static String words(Object said) {
    if (said instanceof Held held) {
      return "held until " + end(held.term());
    }
    if (said instanceof Term term) {
      return "held until " + end(term);
    }
    if (said instanceof LeaseRenewed renewed) {
      return "held until " + end(renewed.term());
    }
    return said instanceof LeaseLost ? "lost" : said.equals(true) ? "released" : "not held";
  }

  private static String end(Term term) {
    return (term.start().nanos() + term.lengthNanos()) / MILLI + " ms";
  }
}
