package io.testudo.mutex.backoff;

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

/** One call for a lock, from the first attempt to the end of the lease. */
final class Acquisition {
  /** Where a call for a lock stands. */
  enum Phase {
    /** An attempt is out, or waits in the servers' lists. */
    TRYING,
    /** It sleeps before the next attempt. */
    SLEEPING,
    /** The lock is held. */
    HELD,
    /** All is over; nothing more happens. */
    OVER
  }

  final CallId<Held> call;
  final Acquire wish;
  final long holdNanos;

  /** Tells the contenders of this process for one lock apart; used again when it is over. */
  final int contender;

  final Moment begun;
  final DueTimer<ServerId> timer;

  Phase phase = Phase.SLEEPING;
  @Nullable Attempt attempt;
  int retries;
  boolean triedAgainAtOnce;

  /** How often a new rank was taken because of what may have been a lie. */
  int newRanks;

  /** Servers that did not answer the last attempt, to be avoided if that is possible. */
  ServerSet silent = ServerSet.none();

  /** All servers that answered any attempt. */
  ServerSet heardOf = ServerSet.none();

  /** Why servers do not grant it, as they say. */
  final Excuses excuses = new Excuses();

  long wakeNanos;

  /** While the lock is held. */
  @Nullable KeptLease lease;

  Acquisition(
      CallId<Held> call,
      Acquire wish,
      long holdNanos,
      int contender,
      Moment begun,
      DueTimer<ServerId> timer) {
    this.call = call;
    this.wish = wish;
    this.holdNanos = holdNanos;
    this.contender = contender;
    this.begun = begun;
    this.timer = timer;
  }

  long id() {
    return call.number();
  }

  String lock() {
    return wish.lock();
  }

  boolean waitsForEver() {
    return wish.waitNanos() == Acquire.FOREVER;
  }

  /** Whether more than the one attempt is wanted. */
  boolean mayTryAgain() {
    return wish.waitNanos() > 0;
  }

  /** How long the caller is still ready to wait. */
  long patienceNanos(Moment now) {
    return wish.waitNanos() - (now.nanos() - begun.nanos());
  }

  Attempt attempt() {
    if (attempt == null) {
      throw new IllegalStateException("there is no attempt");
    }
    return attempt;
  }

  KeptLease lease() {
    return Objects.requireNonNull(lease, "the lock is not held");
  }
}
