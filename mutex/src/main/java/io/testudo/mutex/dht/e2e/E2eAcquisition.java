package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.PendingRenewals;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteSeats;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One call for a lock, from its request to the end of the lease. */
final class E2eAcquisition {
  /** How far it has come. */
  enum Phase {
    /** It asks replicas for their votes. */
    VOTING,
    /** It is in the queue of a holder. */
    QUEUED,
    /** It was handed the token, and replicas have to accept that. */
    ACCEPTING,
    /** It holds the lock. */
    HOLDING
  }

  final CallId<Held> call;

  /** With the hold that was last asked for. */
  Acquire wish;

  final RequestId id;
  final VoteSeats seats;
  final Moment begun;
  Phase phase = Phase.VOTING;

  /** The holder in whose queue it is, and when that was last confirmed. */
  @Nullable NodeId queuedAt;

  long heardNanos;

  /** How often replicas were asked, and when to ask them, or the holder, again. */
  int rounds;

  long nextAskNanos;

  /** Since when it has votes that are not enough; meaningless without any. */
  long stuckNanos;

  boolean isStuck;

  /** When a holder was last asked by this request itself. */
  long enqueueNanos;

  boolean hasEnqueued;

  /** When votes were last prolonged because they were too old to enter with. */
  long prolongNanos;

  boolean hasProlonged;

  /** By what it holds the lock, or will. */
  Token token;

  @Nullable Term term;
  long enteredNanos;
  long renewAtNanos;
  final PendingRenewals renewals = new PendingRenewals();
  long handedNanos;

  /** Those who wait behind it, the earliest first. */
  final TreeMap<RequestId, WaitingRequest> queue = new TreeMap<>();

  E2eAcquisition(CallId<Held> call, Acquire wish, RequestId id, VoteSeats seats, Moment begun) {
    this.call = call;
    this.wish = wish;
    this.id = id;
    this.seats = seats;
    this.begun = begun;
    this.token = Token.first(id);
  }

  String lock() {
    return wish.lock();
  }

  boolean isOwner() {
    return phase == Phase.ACCEPTING || phase == Phase.HOLDING;
  }

  /** How long the caller is still ready to wait. */
  long patienceNanos(Moment now, long onceNanos) {
    if (wish.waitNanos() == Acquire.FOREVER) {
      return Long.MAX_VALUE;
    }
    return Math.max(onceNanos, wish.waitNanos()) - (now.nanos() - begun.nanos());
  }
}
