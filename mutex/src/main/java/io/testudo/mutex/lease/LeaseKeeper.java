package io.testudo.mutex.lease;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.lease.KeptLease.Renewal;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a lock's client that begins when a lock is held: it renews leases, by itself or when
 * asked, gives them back, and tells of those that are lost. The protocol enters a lease with {@link
 * #hold} and says with {@link #extend} what servers have granted since.
 */
public final class LeaseKeeper extends Part<ServerId> {
  private static final int MAX_RENEWALS = 64;

  private static final long LEAST_DELAY_NANOS = 1_000L;

  /** What an application knows a lease by. */
  private record Name(String lock, long token) implements TimerKey {}

  private final Thresholds thresholds;
  private final LockTiming timing;
  private final Map<Name, KeptLease> held = new HashMap<>();

  public LeaseKeeper(Part<ServerId> client, Thresholds thresholds, LockTiming timing) {
    super(client);
    this.thresholds = thresholds;
    this.timing = timing;
    onCall(RenewCall.class, this::onRenew);
    onCall(ReleaseCall.class, this::onRelease);
    onTimer(Name.class, this::onDue);
  }

  /**
   * Begins to keep a lease.
   *
   * @param holdNanos for how long it is wanted at a time
   */
  public KeptLease hold(Acquire wish, long holdNanos, long token, Term term, LeaseGrants grants) {
    KeptLease lease =
        new KeptLease(wish.lock(), token, term, holdNanos, wish.keepNanos(), grants, now());
    held.put(nameOf(lease), lease);
    schedule(lease);
    return lease;
  }

  /** The lease of a lock with this token, if it is held; it may be over without our knowing. */
  public @Nullable KeptLease lease(String lock, long token) {
    return held.get(new Name(lock, token));
  }

  /**
   * Servers have answered while a lock is held. What comes after the end comes too late.
   *
   * @param term what their grants make; null if they are too few
   */
  public void extend(KeptLease lease, @Nullable Term term) {
    if (lease.term().isOver(now())) {
      lose(lease);
      return;
    }
    if (term != null && lease.take(term, now())) {
      tell(new LeaseRenewed(lease.lock, lease.token, term));
    }
    for (Renewal renewal : List.copyOf(lease.renewals)) {
      if (lease.term().remainingNanos(now()) >= renewal.term().remainingNanos(now())) {
        lease.renewals.remove(renewal);
        complete(renewal.call(), lease.term());
      }
    }
  }

  /** The lock is no longer held for sure. */
  public void lose(KeptLease lease) {
    tell(new LeaseLost(lease.lock, lease.token));
    end(lease, true);
  }

  /** A caller gave up; nobody else waits for the same renewal. */
  public void cancelled(CallId<?> call) {
    for (KeptLease lease : held.values()) {
      lease.renewals.removeIf(renewal -> renewal.call().number() == call.number());
    }
  }

  private void onRenew(CallId<Term> call, RenewCall renew) {
    KeptLease lease = heldBy(renew.lock(), renew.token());
    if (lease == null) {
      fail(call, new LeaseLostException(renew.lock()));
    } else if (renew.holdNanos() > timing.maxHoldNanos()) {
      fail(call, timing.holdTooLong(renew.lock()));
    } else if (lease.renewals.size() >= MAX_RENEWALS) {
      fail(call, new OverloadedException("renewals of one lease", MAX_RENEWALS));
    } else {
      long giveUpNanos = now().nanos() + lease.grants.windowNanos();
      Term asked = lease.grants.prolong(renew.holdNanos());
      lease.renewals.add(new Renewal(call, asked, giveUpNanos));
      schedule(lease);
    }
  }

  private void onRelease(CallId<Boolean> call, ReleaseCall release) {
    KeptLease lease = heldBy(release.lock(), release.token());
    if (lease != null) {
      end(lease, false);
    }
    complete(call, lease != null);
  }

  /** The lease that an application speaks of, if it is not over. */
  private @Nullable KeptLease heldBy(String lock, long token) {
    KeptLease lease = lease(lock, token);
    if (lease != null && lease.term().isOver(now())) {
      lose(lease);
      return null;
    }
    return lease;
  }

  private void end(KeptLease lease, boolean isLost) {
    held.remove(nameOf(lease));
    lease.grants.end(isLost);
    for (Renewal renewal : lease.renewals) {
      fail(renewal.call(), new LeaseLostException(lease.lock));
    }
    lease.renewals.clear();
    cancelTimer(nameOf(lease));
  }

  private void onDue(Name name) {
    KeptLease lease = heldBy(name.lock(), name.token());
    if (lease == null) {
      return;
    }
    for (Renewal renewal : List.copyOf(lease.renewals)) {
      if (renewal.giveUpNanos() - now().nanos() <= 0) {
        lease.renewals.remove(renewal);
        fail(
            renewal.call(),
            new NoQuorumException(
                lease.grants.answered(),
                thresholds.servers(),
                thresholds.consents(),
                Outcome.UNKNOWN));
      }
    }
    if (lease.isRenewalDue(now())) {
      Term unused = lease.grants.prolong(lease.holdNanos);
      lease.wasRenewed(now());
    }
    schedule(lease);
  }

  private void schedule(KeptLease lease) {
    setTimer(nameOf(lease), Math.max(LEAST_DELAY_NANOS, lease.untilDueNanos(now())));
  }

  private static Name nameOf(KeptLease lease) {
    return new Name(lease.lock, lease.token);
  }
}
