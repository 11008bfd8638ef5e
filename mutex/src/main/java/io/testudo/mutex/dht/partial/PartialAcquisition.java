package io.testudo.mutex.dht.partial;

import io.testudo.mutex.dht.vote.PendingRenewals;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteSeats;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call for a lock, from its request to the end of the lease. */
final class PartialAcquisition {
  final CallId<Held> call;

  /** With the hold that was last asked for. */
  Acquire wish;

  final RequestId id;
  final VoteSeats seats;
  final Moment begun;

  /** The replicas on whose way a hop keeps it behind another. */
  final Set<Integer> heldBack = new HashSet<>();

  long nextAskNanos;

  /** Since when it has votes that are not enough, and how long it bears that. */
  long stuckNanos;

  boolean isStuck;
  long patienceNanos;

  /** Set while it holds the lock. */
  @Nullable Term term;

  long enteredNanos;
  long renewAtNanos;
  final PendingRenewals renewals = new PendingRenewals();

  PartialAcquisition(CallId<Held> call, Acquire wish, RequestId id, VoteSeats seats, Moment begun) {
    this.call = call;
    this.wish = wish;
    this.id = id;
    this.seats = seats;
    this.begun = begun;
  }

  String lock() {
    return wish.lock();
  }

  boolean isHeld() {
    return term != null;
  }

  /** How long the caller is still ready to wait. */
  long callerNanos(Moment now, long onceNanos) {
    if (wish.waitNanos() == Acquire.FOREVER) {
      return Long.MAX_VALUE;
    }
    return Math.max(onceNanos, wish.waitNanos()) - (now.nanos() - begun.nanos());
  }
}
