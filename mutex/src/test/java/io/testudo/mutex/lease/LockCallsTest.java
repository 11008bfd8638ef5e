package io.testudo.mutex.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
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
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Calls for locks in a machine whose protocol does what the test says. */
class LockCallsTest {
  private static final long MILLI = 1_000_000L;
  private static final LockTiming TIMING = LockTiming.standard();
  private static final long HOLD = 300 * MILLI;
  private static final long WAIT = 500 * MILLI;

  /** Lets the protocol do something to one of its calls. */
  private record Now(int call, BiConsumer<LockCalls<Wish>, Wish> act) implements Message {}

  private record Wish(LockCall call) implements LockCalls.Acquiring {}

  private static final class Client extends Machine<ServerId> {
    final List<Wish> begun = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    final LockCalls<Wish> calls;
    ServerSet heardOf = ServerSet.none();

    Client() {
      calls =
          new LockCalls<>(
              this, BackoffProtocol.ALL_SERVERS.thresholds(4, 1), TIMING, new Protocol());
      onMessage(Now.class, (from, order) -> order.act().accept(calls, begun.get(order.call())));
    }

    @Override
    protected void onCancelled(CallId<?> call) {
      calls.cancelled(call);
    }

    private final class Protocol implements LockCalls.Protocol<Wish> {
      @Override
      public Wish begin(LockCall call) {
        begun.add(new Wish(call));
        calls.schedule(call, call.patienceNanos(now(), MILLI));
        return begun.get(begun.size() - 1);
      }

      @Override
      public void due(Wish wish) {
        log.add("due");
      }

      @Override
      public void withdraw(Wish wish) {
        log.add("withdraw");
      }

      @Override
      public ServerSet heardOf(Wish wish) {
        return heardOf;
      }
    }

    /** Grants that the servers have made. */
    private final class Grants implements LeaseGrants {
      private final LockCall call;

      Grants(LockCall call) {
        this.call = call;
      }

      @Override
      public Term prolong(long holdNanos) {
        return new Term(now(), holdNanos);
      }

      @Override
      public long windowNanos() {
        return MILLI;
      }

      @Override
      public ServerSet answered() {
        return heardOf;
      }

      @Override
      public void end(boolean isLost) {
        log.add("end");
        calls.forget(call);
      }
    }

    void enter(Wish wish) {
      calls.enter(wish.call(), HOLD, 77, new Term(now(), HOLD), new Grants(wish.call()));
    }
  }

  private final Client client = new Client();
  private final Map<Long, Object> answers = new HashMap<>();
  private final Map<TimerKey, Long> timers = new HashMap<>();
  private long nanos;
  private long lastCall;

  LockCallsTest() {
    step(new Input.Started<>(List.of()));
  }

  private void step(Input<ServerId> input) {
    for (Effect<ServerId> effect : client.step(input, new Moment(nanos, 1_000))) {
      if (effect instanceof Effect.Complete<ServerId> done) {
        answers.put(done.id().number(), done.result());
      } else if (effect instanceof Effect.Fail<ServerId> failed) {
        answers.put(failed.id().number(), failed.reason());
      } else if (effect instanceof Effect.SetTimer<ServerId> set) {
        timers.put(set.key(), nanos + set.delayNanos());
      } else if (effect instanceof Effect.CancelTimer<ServerId> unset) {
        timers.remove(unset.key());
      }
    }
  }

  private long call(Call<?> call) {
    step(new Input.Called<>(new CallId<>(++lastCall), call));
    return lastCall;
  }

  private long acquire(String lock, long waitNanos) {
    return call(Acquire.of(lock, HOLD, waitNanos));
  }

  private void act(int call, BiConsumer<LockCalls<Wish>, Wish> act) {
    step(new Input.Received<>(new ServerId(0), new Now(call, act)));
  }

  @Test
  void refusesLongerHoldsThanServersGrantWithoutAsking() {
    long call = call(Acquire.of("a", TIMING.maxHoldNanos() + 1, 0));
    assertThat(answers.get(call)).isInstanceOf(LockRefusedException.class);
    assertThat(client.begun).isEmpty();
  }

  @Test
  void refusesMoreCallsThanAProcessCanHaveOnPurpose() {
    for (int i = 0; i < LockCalls.MAX_CALLS; i++) {
      acquire("lock" + i, WAIT);
    }
    assertThat(answers).isEmpty();
    assertThat(answers.get(acquire("one more", WAIT))).isInstanceOf(OverloadedException.class);
  }

  @Test
  void givesEachContenderOfALockTheLowestNumberThatIsFree() {
    acquire("a", WAIT);
    acquire("a", WAIT);
    acquire("b", WAIT);
    act(0, (calls, wish) -> calls.giveUp(wish, true));
    acquire("a", WAIT);
    assertThat(client.begun)
        .extracting(wish -> wish.call().contender())
        .containsExactly(0, 1, 0, 0);
  }

  @Test
  void looksAtACallAgainWhenItIsDue() {
    acquire("a", WAIT);
    assertThat(timers.values()).containsExactly(WAIT);
    nanos = WAIT;
    step(new Input.TimerFired<>(timers.keySet().iterator().next()));
    assertThat(client.log).containsExactly("due");
  }

  @Test
  void waitsForEverOrOnceOrAsLongAsItIsTold() {
    acquire("a", Acquire.FOREVER);
    acquire("a", 0);
    acquire("a", WAIT);
    Moment later = new Moment(MILLI, 1_000);
    assertThat(client.begun)
        .extracting(wish -> wish.call().patienceNanos(later, 7 * MILLI))
        .containsExactly(Long.MAX_VALUE, 6 * MILLI, WAIT - MILLI);
    assertThat(client.begun)
        .extracting(wish -> wish.call().triesOnce())
        .containsExactly(false, true, false);
  }

  @Test
  void saysWhetherServersWereAgainstItOrTooFewAnswered() {
    long outvoted = acquire("a", WAIT);
    long unheard = acquire("a", WAIT);
    long heard = acquire("a", WAIT);
    act(0, (calls, wish) -> calls.giveUp(wish, true));
    act(1, (calls, wish) -> calls.giveUp(wish, false));
    client.heardOf = ServerSet.firstN(3);
    act(2, (calls, wish) -> calls.giveUp(wish, false));
    assertThat(answers.get(outvoted)).isInstanceOf(NotAcquiredException.class);
    assertThat(answers.get(unheard)).isInstanceOf(NoQuorumException.class);
    assertThat(answers.get(heard)).isInstanceOf(NotAcquiredException.class);
    assertThat(client.log).containsExactly("withdraw", "withdraw", "withdraw");
    assertThat(client.calls.size()).isZero();
    assertThat(timers).isEmpty();
  }

  @Test
  void saysWhyServersRefuse() {
    long call = acquire("a", WAIT);
    act(0, (calls, wish) -> calls.refuse(wish, RefusalReason.TOO_MANY_LOCKS, 9));
    assertThat(answers.get(call))
        .isInstanceOfSatisfying(
            LockRefusedException.class,
            refusal -> assertThat(refusal).hasMessageContaining("(9 of one principal at most)"));
    assertThat(client.log).containsExactly("withdraw");
  }

  @Test
  void holdsWhatWasGrantedUntilItIsReleased() {
    long call = acquire("a", WAIT);
    act(0, (calls, wish) -> client.enter(wish));
    assertThat(answers.get(call))
        .isEqualTo(new Held("a", 77, new Term(new Moment(0, 1_000), HOLD)));
    assertThat(client.begun.get(0).call().isHeld()).isTrue();
    assertThat(client.calls.size()).isEqualTo(1);
    call(new ReleaseCall("a", 77));
    assertThat(client.log).containsExactly("end");
    assertThat(client.calls.size()).isZero();
    assertThat(timers).isEmpty();
  }

  @Test
  void withdrawsACallThatIsCancelledAndKeepsALeaseWhoseRenewalIs() {
    long wanted = acquire("a", WAIT);
    step(new Input.Cancelled<>(new CallId<>(wanted)));
    assertThat(client.log).containsExactly("withdraw");
    long held = acquire("a", WAIT);
    act(1, (calls, wish) -> client.enter(wish));
    long renewal = call(new RenewCall("a", 77, HOLD));
    step(new Input.Cancelled<>(new CallId<>(renewal)));
    step(new Input.Cancelled<>(new CallId<>(held)));
    assertThat(client.log).containsExactly("withdraw");
    assertThat(client.calls.size()).isEqualTo(1);
    assertThat(answers).containsOnlyKeys(held);
  }
}
