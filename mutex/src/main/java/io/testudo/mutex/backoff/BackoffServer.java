package io.testudo.mutex.backoff;

import io.testudo.mutex.lease.LockGrant;
import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.lease.LockUsage;
import io.testudo.mutex.lease.Quarantine;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.Excuses;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server machine of the backoff mutex. It grants each lock to one contender at a time, with
 * ranks that only grow, and tells those who wait when their turn has come.
 *
 * <p>Grants are not on disk. What is there is a ceiling of the ranks that were granted, so that
 * they go on growing after a restart, and the longest lease: a restarted server grants nothing
 * until all that it may have granted is over.
 */
public final class BackoffServer extends Machine<ClientId> implements LockUsage.Source {
  /** What configurations call this protocol. */
  public static final String PROTOCOL = "backoff";

  private record Expiry(String lock) implements TimerKey {}

  private record QuarantineOver() implements TimerKey {}

  private final LockTiming timing;
  private final LockTable<LockState> locks;
  private final RankLedger ledger;
  private final Quarantine quarantine;
  private long longestLeaseNanos;

  /** Whether it has lost its memory, and nobody has told it yet how far ranks went. */
  private boolean awaitsCeilings;

  public BackoffServer(LockTiming timing) {
    this(timing, LockScope.everything());
  }

  /** One that shares the server with other lock protocols. */
  public BackoffServer(LockTiming timing, LockScope scope) {
    this(timing, scope, LockTable.MAX_LOCKS);
  }

  BackoffServer(LockTiming timing, LockScope scope, int maxLocks) {
    this.timing = timing;
    this.locks =
        new LockTable<>(this, PROTOCOL, timing, scope, maxLocks, LockState::new, Refused::new);
    this.ledger = new RankLedger(locks.floors());
    this.quarantine = new Quarantine(this);
    onMessage(Try.class, this::onTry);
    onMessage(Renew.class, this::onRenew);
    onMessage(Release.class, this::onRelease);
    onMessage(AskCeilings.class, (from, question) -> sendCeilings(from, question.nonce()));
    onMessage(TakeCeilings.class, this::onTakeCeilings);
    onTimer(Expiry.class, this::onExpiry);
    onTimer(QuarantineOver.class, over -> serveAll());
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    for (StateRecord record : recovered) {
      ledger.recover(record);
      if (record instanceof LongestLease past) {
        longestLeaseNanos = Math.max(longestLeaseNanos, past.nanos());
      } else if (record instanceof CeilingsKnown past) {
        awaitsCeilings = !past.known();
      }
    }
    long longestNow = timing.serverLeaseNanos(timing.maxLeaseNanos());
    if (longestNow > longestLeaseNanos) {
      persist(new LongestLease(longestNow));
    }
    if (awaitsCeilings) {
      tell(new CeilingsAwaited(true));
    }
    if (!ledger.isEmpty() || awaitsCeilings) {
      setTimer(new QuarantineOver(), longestLeaseNanos + 1);
      quarantine.begin(longestLeaseNanos);
    }
    longestLeaseNanos = Math.max(longestLeaseNanos, longestNow);
  }

  @Override
  public List<StateRecord> snapshot() {
    List<StateRecord> records = ledger.records();
    records.add(new LongestLease(longestLeaseNanos));
    if (awaitsCeilings) {
      records.add(new CeilingsKnown(false));
    }
    return records;
  }

  private void onTry(ClientId from, Try request) {
    LockState lock = opened(from, request, request.leaseNanos());
    if (lock == null) {
      return;
    }
    Contender contender = new Contender(from, request.contender());
    if (lock.grant != null && lock.grant.owner().equals(contender)) {
      if (lock.grant.time() == request.time()) {
        if (request.number() > lock.grant.number()) { // Else it is one that was repeated.
          lock.grant = lock.grant.extended(locks.endOf(request.leaseNanos()), request.number());
          watch(lock);
        }
        sendFree(lock, lock.grant);
        return;
      }
      if (lock.grant.time() < request.time()) {
        free(lock); // It has begun anew, so it has given up what it had.
        serve(lock);
      }
    }
    if (isTooFar(lock, request.time())) {
      locks.refuse(from, request.time(), RefusalReason.CLOCK_AHEAD, locks.horizon());
    } else if (request.time() <= lock.last.time()
        || lock.withdrawn.cover(contender, request.time())) {
      lock.withdraw(contender, request.time());
      send(from, new Stale(request.time(), request.number(), lock.last));
    } else if (lock.grant != null || isQuarantined()) {
      deny(from, lock, request.time(), request.number());
      if (request.joins()) {
        SealedRank rank = new SealedRank(request.time(), from.session(), request.seal());
        lock.join(
            new RankedWaiter(
                contender, rank, request.leaseNanos(), request.number(), now().nanos()));
        watch(lock);
      }
    } else {
      SealedRank rank = new SealedRank(request.time(), from.session(), request.seal());
      grant(lock, contender, rank, request.leaseNanos(), request.number());
    }
  }

  private boolean isTooFar(LockState lock, long time) {
    return ledger.isTooFar(lock.name, time, lock.last.time(), locks.horizon());
  }

  /** The lock with its state up to date, or null if the request is refused. */
  private @Nullable LockState opened(ClientId from, BackoffRequest request, long leaseNanos) {
    LockState lock = locks.open(from, request.lock(), request.time(), leaseNanos);
    if (lock != null) {
      serve(lock);
    }
    return lock;
  }

  private void onRenew(ClientId from, Renew request) {
    LockState lock = opened(from, request, request.leaseNanos());
    if (lock == null) {
      return;
    }
    Contender contender = new Contender(from, request.contender());
    if (lock.grant != null && lock.grant.isOf(contender, request.time())) {
      lock.grant = lock.grant.extended(locks.endOf(request.leaseNanos()), request.number());
      watch(lock);
      sendFree(lock, lock.grant);
    } else if (lock.grant != null || isQuarantined()) {
      deny(from, lock, request.time(), request.number());
    } else if (isTooFar(lock, request.time())) {
      locks.refuse(from, request.time(), RefusalReason.CLOCK_AHEAD, locks.horizon());
    } else if (isOutdated(lock, contender, request.time())) {
      send(from, new Stale(request.time(), request.number(), lock.last));
    } else {
      // It holds elsewhere and not here: this server was away. Else restarts would erode a hold.
      SealedRank rank = new SealedRank(request.time(), from.session(), Optional.empty());
      grant(lock, contender, rank, request.leaseNanos(), request.number());
    }
  }

  /** Whether the holder of this rank may not come back here. Where nothing is known, it may. */
  private static boolean isOutdated(LockState lock, Contender contender, long time) {
    boolean overtaken =
        lock.lastIsKnown
            && (time < lock.last.time() || (time == lock.last.time() && lock.lastIsReleased));
    return overtaken || lock.withdrawn.cover(contender, time);
  }

  private void onRelease(ClientId from, Release request) {
    LockState lock =
        locks.open(from, request.lock()); // It may have overtaken the request it withdraws.
    if (lock == null) {
      return;
    }
    serve(lock);
    Contender contender = new Contender(from, request.contender());
    if (lock.grant != null && lock.grant.isOf(contender, request.time())) {
      free(lock);
      serve(lock);
    } else {
      lock.withdraw(contender, request.time());
      // The last rank stays as it is: raised, it would let one who cancels often push others out.
      if (request.time() > lock.last.time() && !isTooFar(lock, request.time())) {
        lock.withdrawn.mark(contender, request.time());
      } else if (request.time() == lock.last.time()) {
        lock.lastIsReleased = true;
      }
    }
  }

  private void sendCeilings(ClientId to, long nonce) {
    send(to, ceilings(nonce));
  }

  /** A server that has its memory needs nobody's: it would only forget how to grant. */
  private void onTakeCeilings(ClientId from, TakeCeilings told) {
    if (awaitsCeilings) {
      if (told.ranks().time() > 0) {
        adopt(new RankCeiling(told.ranks().time()));
      }
      told.ranks().named().forEach((name, time) -> adopt(new NameCeiling(name, time)));
      persist(new CeilingsKnown(true));
      awaitsCeilings = false;
      tell(new CeilingsAwaited(false));
      for (LockState lock : locks.all()) {
        long floor = locks.floors().of(lock.name);
        lock.last = floor > lock.last.time() ? SealedRank.unsealed(floor) : lock.last;
      }
      serveAll();
    }
    sendCeilings(from, told.nonce());
  }

  private void adopt(StateRecord ceiling) {
    ledger.recover(ceiling);
    persist(ceiling);
  }

  private void onExpiry(Expiry expiry) {
    LockState lock = locks.find(expiry.lock());
    if (lock != null) {
      serve(lock);
      watch(lock);
    }
  }

  private void serveAll() {
    locks.all().forEach(this::serve);
  }

  private boolean isQuarantined() {
    return awaitsCeilings || quarantine.lasts();
  }

  /**
   * Ends what is over and gives the lock to the first of those who wait. Comes before anything else
   * that is done with a lock, because a timer may be late.
   */
  private void serve(LockState lock) {
    if (lock.grant != null && lock.grant.isOver(now().nanos())) {
      lock.grant = null;
    }
    while (lock.grant == null && !isQuarantined()) {
      RankedWaiter next = lock.waiters.takeFirst(now(), timing.waiterExpiryNanos());
      if (next == null) {
        return;
      }
      if (next.time() <= lock.last.time()) {
        send(next.contender().client(), new Stale(next.time(), next.number(), lock.last));
      } else {
        grant(lock, next.contender(), next.rank(), next.leaseNanos(), next.number());
        watch(lock);
      }
    }
  }

  private void grant(
      LockState lock, Contender contender, SealedRank rank, long leaseNanos, long number) {
    StateRecord ceiling = ledger.raise(lock.name, rank.time(), locks.horizon());
    if (ceiling != null) {
      persist(ceiling);
    }
    if (rank.time() > lock.last.time()) {
      lock.last = rank; // Who comes back with the same rank does not show its seal again.
    }
    lock.lastIsKnown = true;
    lock.lastIsReleased = false;
    lock.grant = new LockGrant(contender, rank.time(), number, locks.endOf(leaseNanos));
    sendFree(lock, lock.grant);
  }

  private void free(LockState lock) {
    lock.grant = null;
    lock.lastIsReleased = true;
  }

  /** Sets the alarm for those who wait behind a grant. */
  private void watch(LockState lock) {
    if (lock.grant != null && !lock.waiters.isEmpty()) {
      long delayNanos = lock.grant.untilNanos() - now().nanos() + 1;
      setTimer(new Expiry(lock.name), Math.max(0, delayNanos));
    }
  }

  private void sendFree(LockState lock, LockGrant grant) {
    Contender owner = grant.owner();
    send(owner.client(), new Free(lock.name, owner.number(), grant.time(), grant.number()));
  }

  private void deny(ClientId to, LockState lock, long time, long number) {
    LockGrant held = lock.grant;
    long remainingNanos =
        held != null
            ? Math.max(0, held.untilNanos() - now().nanos())
            : awaitsCeilings ? Excuses.UNTIL_TOLD : quarantine.remainingNanos();
    send(to, new Locked(time, number, remainingNanos, lock.last, held == null));
  }

  /** The present owner, for checks. */
  public Optional<ClientId> owner(String lock, long nowNanos) {
    LockState state = locks.find(lock);
    return state == null || state.grant == null || state.grant.isOver(nowNanos)
        ? Optional.empty()
        : Optional.of(state.grant.owner().client());
  }

  /** Whether the attempt with this time has a grant here that it did not give back, for checks. */
  public boolean isGranted(String lock, long time) {
    LockState state = locks.find(lock);
    return state != null && state.grant != null && state.grant.time() == time;
  }

  /** What operators are told of its ranks. */
  public Ceilings ceilings(long nonce) {
    return new Ceilings(nonce, !awaitsCeilings, ledger.ranks());
  }

  /** How many locks are remembered. */
  public int locks() {
    return locks.all().size();
  }

  @Override
  public LockUsage lockUsage() {
    return locks.usage();
  }
}
