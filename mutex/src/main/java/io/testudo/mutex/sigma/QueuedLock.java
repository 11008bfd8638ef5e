package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.DueTimer;
import io.testudo.mutex.lease.LockGrant;
import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.lease.WaitingLine;
import io.testudo.mutex.lease.Withdrawals;
import io.testudo.mutex.protocol.Contender;
import io.testudo.quorum.ClientId;
import org.jspecify.annotations.Nullable;

/** What one server knows of one lock. */
final class QueuedLock implements LockTable.Entry {
  /** How fast the estimate of a turn follows what is seen. */
  private static final double WEIGHT = 0.2;

  final String name;
  final WaitingLine<Waiting> line = new WaitingLine<>();

  /** Epochs that are over. */
  final Withdrawals left = new Withdrawals();

  @Nullable Ownership owner;

  /** Names the present state of the owner; grows with each change. */
  long stateNumber;

  /** The highest fencing token that may have been used. */
  long usedFence;

  final DueTimer<ClientId> timer;
  long nextCheckNanos;

  private double turnNanos;
  private long lastLeftNanos;
  private boolean hasTurns;

  QueuedLock(String name, long usedFence, long stateNumber, DueTimer<ClientId> timer) {
    this.name = name;
    this.usedFence = usedFence;
    this.stateNumber = stateNumber;
    this.timer = timer;
  }

  /** The time of a contender's entry, as owner or in the queue; 0 if there is none. */
  long entryOf(Contender contender) {
    if (owner != null && owner.contender().equals(contender)) {
      return owner.grant().time();
    }
    Waiting waiting = line.find(contender);
    return waiting == null ? 0 : waiting.time();
  }

  /** An owner leaves: one more turn was seen. Times without an owner do not count. */
  void sawTurn(long sinceNanos, long nowNanos) {
    long fromNanos = hasTurns && lastLeftNanos - sinceNanos > 0 ? lastLeftNanos : sinceNanos;
    double lastedNanos = Math.max(0, nowNanos - fromNanos);
    turnNanos = hasTurns ? turnNanos + WEIGHT * (lastedNanos - turnNanos) : lastedNanos;
    lastLeftNanos = nowNanos;
    hasTurns = true;
  }

  /**
   * Tw = Tcs (P + 1/2), the informed backoff of the 2004 paper.
   *
   * @param guessNanos how long a turn takes, as long as none was seen
   */
  long waitNanos(long position, long guessNanos) {
    return (long) ((hasTurns ? turnNanos : guessNanos) * (position + 0.5));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public @Nullable LockGrant grant() {
    return owner == null ? null : owner.grant();
  }

  @Override
  public long token() {
    return owner == null ? 0 : owner.fence();
  }

  @Override
  public long highestToken() {
    return Math.max(usedFence, token());
  }

  @Override
  public WaitingLine<?> waiting() {
    return line;
  }
}
