package io.testudo.mutex.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
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
import org.junit.jupiter.api.Test;

/** The keeper in a machine that has nothing else, and is granted whatever the test says. */
class LeaseKeeperTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING = LockTiming.standard();
  private static final long HOLD = 300 * MILLI;
  private static final long WINDOW = 50 * MILLI;
  private static final String LOCK = "orders";
  private static final long TOKEN = 77;

  /** Servers have granted a term. */
  private record GrantedNow(@Nullable Term term) implements Message {}

  private static final class Holder extends Machine<ServerId> {
    final List<String> asked = new ArrayList<>();
    final LeaseKeeper keeper;
    @Nullable KeptLease lease;

    Holder() {
      keeper = new LeaseKeeper(this, BackoffProtocol.ALL_SERVERS.thresholds(5, 1), TIMING);
      onCall(Acquire.class, this::onAcquire);
      onMessage(
          GrantedNow.class,
          (from, granted) -> keeper.extend(Objects.requireNonNull(lease), granted.term()));
    }

    private void onAcquire(CallId<Held> call, Acquire wish) {
      Term term = new Term(now(), HOLD);
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
        asked.add("for " + holdNanos / MILLI);
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
        asked.add(isLost ? "lost" : "released");
      }
    }
  }

  private final Holder holder = new Holder();
  private final Map<Long, Object> answers = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private long nanos;
  private long lastCall;

  LeaseKeeperTest() {
    step(new Input.Started<>(List.of()));
  }

  private Moment now() {
    return new Moment(nanos, 1_000_000 + nanos / MILLI);
  }

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : holder.step(input, now())) {
      if (effect instanceof Effect.Complete<ServerId> done) {
        answers.put(done.id().number(), done.result());
      } else if (effect instanceof Effect.Fail<ServerId> failed) {
        answers.put(failed.id().number(), failed.reason());
      } else if (effect instanceof Effect.Tell<ServerId> told) {
        events.add(told.event());
      } else if (effect instanceof Effect.SetTimer<ServerId> set) {
        timers.put(set.key(), nanos + set.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> unset) {
        timers.remove(unset.key());
      }
    }
  }

  private <R> long call(Call<R> call) {
    step(new Input.Called<>(new CallId<>(++lastCall), call));
    return lastCall;
  }

  private void granted(@Nullable Term term) {
    step(new Input.Received<>(new ServerId(0), new GrantedNow(term)));
  }

  /** Lets time pass, and timers ring when they are due. */
  private void passUntil(long untilNanos) {
    while (timers.values().stream().anyMatch(due -> due <= untilNanos)) {
      Map.Entry<TimerKey, Long> next =
          timers.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
      timers.remove(next.getKey());
      nanos = Math.max(nanos, next.getValue());
      step(new Input.TimerFired<>(next.getKey()));
    }
    nanos = untilNanos;
  }

  private void hold(long keepNanos) {
    call(new Acquire(LOCK, HOLD, Acquire.FOREVER, keepNanos, false));
  }

  @Test
  void renewsByItselfAThirdOfTheHoldAheadAndTellsOfIt() {
    hold(Long.MAX_VALUE);
    passUntil(HOLD / 3 + MILLI);
    assertThat(holder.asked).containsExactly("for 300");
    Term longer = new Term(now(), HOLD);
    granted(longer);
    assertThat(events).containsExactly(new LeaseRenewed(LOCK, TOKEN, longer));
    passUntil(HOLD + MILLI);
    assertThat(events).hasSize(1); // It is held beyond its first end.
  }

  @Test
  void doesNotRenewWhatIsNotToBeKept() {
    hold(0);
    passUntil(HOLD + MILLI);
    assertThat(holder.asked).containsExactly("lost");
    assertThat(events).containsExactly(new LeaseLost(LOCK, TOKEN));
    assertThat(timers).isEmpty();
  }

  @Test
  void takesNothingThatComesAfterTheEnd() {
    hold(0);
    nanos = HOLD + MILLI; // It was suspended, and no timer rang.
    granted(new Term(now(), HOLD));
    assertThat(holder.asked).containsExactly("lost");
    assertThat(events).containsExactly(new LeaseLost(LOCK, TOKEN));
  }

  @Test
  void answersARenewalWhenItsTermIsGrantedAndNotBefore() {
    hold(0);
    long renewal = call(new RenewCall(LOCK, TOKEN, 2 * HOLD));
    Term asked = new Term(now(), 2 * HOLD);
    granted(null);
    granted(new Term(now(), HOLD + MILLI));
    assertThat(answers).doesNotContainKey(renewal);
    granted(asked);
    assertThat(answers).containsEntry(renewal, asked);
  }

  @Test
  void givesARenewalUpWhenAnswersAreLateAndKeepsTheLease() {
    hold(0);
    long renewal = call(new RenewCall(LOCK, TOKEN, HOLD));
    passUntil(WINDOW);
    assertThat(answers.get(renewal))
        .isInstanceOfSatisfying(
            NoQuorumException.class,
            late -> assertThat(late.answered()).isEqualTo(ServerSet.of(new ServerId(2))));
    assertThat(events).isEmpty();
  }

  @Test
  void refusesRenewalsThatAreTooLongOrTooMany() {
    hold(0);
    long tooLong = call(new RenewCall(LOCK, TOKEN, TIMING.maxHoldNanos() + 1));
    assertThat(answers.get(tooLong)).isInstanceOf(LockRefusedException.class);
    for (int i = 0; i < 64; i++) {
      call(new RenewCall(LOCK, TOKEN, HOLD));
    }
    long oneMore = call(new RenewCall(LOCK, TOKEN, HOLD));
    assertThat(answers.get(oneMore)).isInstanceOf(OverloadedException.class);
  }

  @Test
  void releasesOnceAndFailsWhoStillRenews() {
    hold(Long.MAX_VALUE);
    long renewal = call(new RenewCall(LOCK, TOKEN, HOLD));
    long release = call(new ReleaseCall(LOCK, TOKEN));
    assertThat(answers).containsEntry(release, true);
    assertThat(answers.get(renewal)).isInstanceOf(LeaseLostException.class);
    assertThat(holder.asked).containsExactly("for 300", "released");
    assertThat(timers).isEmpty();
    assertThat(answers).containsEntry(call(new ReleaseCall(LOCK, TOKEN)), false);
    assertThat(answers.get(call(new RenewCall(LOCK, TOKEN, HOLD))))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  void knowsALeaseByItsLockAndItsToken() {
    hold(0);
    assertThat(answers).containsEntry(call(new ReleaseCall("other", TOKEN)), false);
    assertThat(answers).containsEntry(call(new ReleaseCall(LOCK, TOKEN + 1)), false);
    assertThat(answers).containsEntry(call(new ReleaseCall(LOCK, TOKEN)), true);
  }

  @Test
  void forgetsARenewalThatWasGivenUpByItsCaller() {
    hold(0);
    long renewal = call(new RenewCall(LOCK, TOKEN, HOLD));
    step(new Input.Cancelled<>(new CallId<>(renewal)));
    granted(new Term(now(), HOLD));
    passUntil(WINDOW);
    assertThat(answers).doesNotContainKey(renewal);
  }
}
