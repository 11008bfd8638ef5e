package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.DueTimer;
import io.testudo.mutex.lease.LockGrant;
import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.lease.WaitingLine;
import io.testudo.mutex.lease.Withdrawals;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import org.jspecify.annotations.Nullable;

/** What one server knows of one lock. */
final class QueuedLock implements LockTable.Entry {
  /** How fast the estimate of a turn follows what is seen. */
  private static final double WEIGHT = 0.1;

  /** By how much longer turns may be than those before until who waits for many asks again. */
  private static final double LENIENCE = 1.125;

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
   * After how long one who waits is to ask again: Tw = Tcs (P + 1/2), the informed backoff of the
   * 2004 paper, or twice as long as before in the same turn, since that takes longer than others
   * did. The first in the queue asks in every refresh period at least, those behind it more and
   * more seldom: all together they ask less than twice in a period, however many they are.
   *
   * @param position in the queue, from 1
   * @param before what it was told before, if it was
   */
  long pauseNanos(long position, @Nullable Waiting before, LockTiming timing) {
    double turn = hasTurns ? turnNanos : 2.0 * timing.delayNanos();
    double pause = turn * (position * LENIENCE + 0.5);
    if (owner != null && before != null && owner.sinceNanos() - before.heardNanos() <= 0) {
      pause = Math.max(pause, 2.0 * before.pauseNanos());
    }
    return (long) Math.min(pause, (double) timing.refreshNanos() * position * position);
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
