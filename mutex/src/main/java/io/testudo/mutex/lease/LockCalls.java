package io.testudo.mutex.lease;

import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The part of a lock's client that takes calls for locks: it refuses what no server would grant,
 * numbers the contenders of this process, and answers calls. How grants are got is a matter of the
 * protocol, which says with {@link #enter} that they are enough, or with {@link #giveUp} that they
 * will not be.
 *
 * @param <A> what the protocol remembers of a call
 */
public final class LockCalls<A extends LockCalls.Acquiring> extends Part<ServerId> {
  /** A process that asks for more locks at once has lost count of them. */
  public static final int MAX_CALLS = 65_536;

  private static final long LEAST_DELAY_NANOS = 1_000L;

  private record Due(long call) implements TimerKey {}

  /** What a protocol remembers of a call, from its begin to the end of the lease. */
  public interface Acquiring {
    LockCall call();
  }

  /** What a protocol does about calls whose lock is not held yet. */
  public interface Protocol<A> {
    /** Asks servers for the first time. */
    A begin(LockCall call);

    /** The time has come for which it was scheduled. */
    void due(A acquiring);

    /** Takes back what was asked of servers: nobody wants it any more. */
    void withdraw(A acquiring);

    /** All servers that answered, whatever they said. */
    ServerSet heardOf(A acquiring);
  }

  private final Thresholds thresholds;
  private final LockTiming timing;
  private final LeaseKeeper keeper;
  private final Protocol<A> protocol;
  private final Map<Long, A> byCall = new HashMap<>();

  /** The numbers of contenders, lock by lock; servers see few, since the lowest free is taken. */
  private final Map<String, BitSet> contenders = new HashMap<>();

  public LockCalls(
      Part<ServerId> client, Thresholds thresholds, LockTiming timing, Protocol<A> protocol) {
    super(client);
    this.thresholds = thresholds;
    this.timing = timing;
    this.keeper = new LeaseKeeper(client, thresholds, timing);
    this.protocol = protocol;
    onCall(Acquire.class, this::onAcquire);
    onTimer(Due.class, this::onDue);
  }

  /** Keeps the leases of those that have entered. */
  public LeaseKeeper keeper() {
    return keeper;
  }

  private void onAcquire(CallId<Held> id, Acquire wish) {
    if (wish.holdNanos() > timing.maxHoldNanos()) {
      fail(id, timing.holdTooLong(wish.lock()));
    } else if (byCall.size() >= MAX_CALLS) {
      fail(id, new OverloadedException("locks held or wanted", MAX_CALLS));
    } else {
      BitSet taken = contenders.computeIfAbsent(wish.lock(), any -> new BitSet());
      int contender = taken.nextClearBit(0);
      taken.set(contender);
      DueTimer<ServerId> timer = new DueTimer<>(effects(), new Due(id.number()));
      byCall.put(id.number(), protocol.begin(new LockCall(id, wish, contender, now(), timer)));
    }
  }

  private void onDue(Due due) {
    A acquiring = byCall.get(due.call());
    if (acquiring != null && !acquiring.call().isHeld()) {
      acquiring.call().timer.rings();
      protocol.due(acquiring);
    }
  }

  /** Lets the protocol look at a call again, not later than this. */
  public void schedule(LockCall call, long delayNanos) {
    call.timer.ringBy(now().nanos() + Math.max(LEAST_DELAY_NANOS, delayNanos));
  }

  /**
   * The grants are enough: the lock is held.
   *
   * @param holdNanos for how long it is wanted at a time
   */
  public void enter(LockCall call, long holdNanos, long token, Term term, LeaseGrants grants) {
    call.lease = keeper.hold(call.wish(), holdNanos, token, term, grants);
    call.timer.cancel();
    complete(call.id, new Held(call.lock(), token, term));
  }

  /**
   * The lock was not acquired.
   *
   * @param isOutvoted whether so many servers are against it that the others make no difference
   */
  public void giveUp(A acquiring, boolean isOutvoted) {
    protocol.withdraw(acquiring);
    ServerSet heardOf = protocol.heardOf(acquiring);
    end(
        acquiring,
        isOutvoted || thresholds.isConsent(heardOf)
            ? new NotAcquiredException(
                acquiring.call().lock(), acquiring.call().excuses().told(now()))
            : new NoQuorumException(
                heardOf, thresholds.servers(), thresholds.consents(), Outcome.DID_NOT_HAPPEN));
  }

  /** Servers will never grant what was asked. */
  public void refuse(A acquiring, RefusalReason reason, long limit) {
    protocol.withdraw(acquiring);
    end(acquiring, new LockRefusedException(acquiring.call().lock(), reason.words(limit, timing)));
  }

  private void end(A acquiring, TestudoException reason) {
    fail(acquiring.call().id, reason);
    forget(acquiring.call());
  }

  /** All is over; nothing more happens. */
  public void forget(LockCall call) {
    byCall.remove(call.id.number());
    BitSet taken = contenders.get(call.lock());
    if (taken != null) {
      taken.clear(call.contender());
      if (taken.isEmpty()) {
        contenders.remove(call.lock());
      }
    }
    call.timer.cancel();
  }

  /** A caller gave up, be it on a lock or on a renewal. */
  public void cancelled(CallId<?> call) {
    A acquiring = byCall.get(call.number());
    if (acquiring != null && !acquiring.call().isHeld()) {
      protocol.withdraw(acquiring);
      forget(acquiring.call());
    } else {
      keeper.cancelled(call);
    }
  }

  /** How many locks are held or wanted. */
  public int size() {
    return byCall.size();
  }
}
