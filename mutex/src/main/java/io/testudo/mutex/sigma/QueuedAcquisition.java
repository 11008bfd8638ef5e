package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.DueTimer;
import io.testudo.mutex.lease.KeptLease;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Excuses;
import io.testudo.mutex.protocol.Held;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One call for a lock, from its request to the end of the lease. */
final class QueuedAcquisition {
  /** Where a call for a lock stands: the sections of the papers. */
  enum Phase {
    /** It collects grants, or waits in the servers' queues. */
    TRYING,
    /** The lock is held. */
    HELD,
    /** All is over; nothing more happens. */
    OVER
  }

  final CallId<Held> call;
  final Acquire wish;

  /** Tells the contenders of this process for one lock apart; used again when it is over. */
  final int contender;

  final Epoch epoch;
  final Moment begun;
  final DueTimer<ServerId> timer;

  /** Why servers do not grant it, as they say. */
  final Excuses excuses = new Excuses();

  Phase phase = Phase.TRYING;

  /** Since when it has grants and cannot enter; meaningless if it does not. */
  long stuckNanos;

  boolean isStuck;

  /** How long it waits for one that has enough before it makes way, and since when. */
  long patienceNanos;

  long behindNanos;
  boolean isBehind;

  /** While the lock is held. */
  @Nullable KeptLease lease;

  QueuedAcquisition(
      CallId<Held> call,
      Acquire wish,
      int contender,
      Epoch epoch,
      Moment begun,
      DueTimer<ServerId> timer) {
    this.call = call;
    this.wish = wish;
    this.contender = contender;
    this.epoch = epoch;
    this.begun = begun;
    this.timer = timer;
  }

  String lock() {
    return wish.lock();
  }

  /** The time of its request names an acquisition within this process. */
  long id() {
    return epoch.time;
  }

  boolean triesOnce() {
    return wish.waitNanos() == 0;
  }

  /** What is left of the wait; without end for one that waits for ever. */
  long patienceLeftNanos(Moment now, long windowNanos) {
    if (wish.waitNanos() == Acquire.FOREVER) {
      return Long.MAX_VALUE;
    }
    long limitNanos = triesOnce() ? windowNanos : wish.waitNanos();
    return limitNanos - (now.nanos() - begun.nanos());
  }

  /** The servers that said anything to it, whatever it was. */
  ServerSet heardOf() {
    return epoch.heardOf().union(excuses.servers());
  }

  KeptLease lease() {
    return Objects.requireNonNull(lease, "the lock is not held");
  }
}
