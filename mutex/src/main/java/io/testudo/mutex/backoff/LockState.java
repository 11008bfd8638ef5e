package io.testudo.mutex.backoff;

import io.testudo.mutex.lease.LockGrant;
import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.lease.WaitingLine;
import io.testudo.mutex.lease.Withdrawals;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.SealedRank;
import org.jspecify.annotations.Nullable;

/** What one server knows of one lock. */
final class LockState implements LockTable.Entry {
  final String name;
  final WaitingLine<RankedWaiter> waiters = new WaitingLine<>();
  final Withdrawals withdrawn = new Withdrawals();

  /** The highest rank granted here, or what counts as such. */
  SealedRank last;

  /** Whether {@link #last} was granted here since this state was made, and so is exact. */
  boolean lastIsKnown;

  /** Whether the owner of {@link #last} has given the lock back. */
  boolean lastIsReleased;

  @Nullable LockGrant grant;

  LockState(String name, long floor) {
    this.name = name;
    this.last = SealedRank.unsealed(floor);
  }

  /** Lets one wait, in the place of what it said before. An overtaken request is ignored. */
  void join(RankedWaiter waiter) {
    RankedWaiter before = waiters.find(waiter.contender());
    if (before == null || waiter.isNewerThan(before)) {
      waiters.put(waiter);
    }
  }

  /** Ends the wait of a contender with this attempt or an earlier one. */
  void withdraw(Contender contender, long time) {
    RankedWaiter waiter = waiters.find(contender);
    if (waiter != null && waiter.time() <= time) {
      waiters.remove(contender);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public @Nullable LockGrant grant() {
    return grant;
  }

  @Override
  public long token() {
    return grant == null ? 0 : grant.time();
  }

  @Override
  public long highestToken() {
    return last.time();
  }

  @Override
  public WaitingLine<?> waiting() {
    return waiters;
  }
}
