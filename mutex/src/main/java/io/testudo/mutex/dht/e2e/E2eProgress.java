package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.Patience;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteSeats;
import io.testudo.mutex.dht.vote.WaitingRequest;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far one call for a lock has come. */
final class E2eProgress {
  /** The stages. */
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

  final VoteSeats seats;
  Phase phase = Phase.VOTING;

  /** The holder in whose queue it is, and when that was last confirmed. */
  @Nullable NodeId queuedAt;

  long heardNanos;

  /** How often replicas were asked, and when to ask them, or the holder, again. */
  int rounds;

  long nextAskNanos;

  /** How often in turn it was asked again because a holder did not have it, and whether it is. */
  int denials;

  boolean isDenied;

  final Patience patience;

  /** When a holder was last asked by this request itself. */
  long enqueueNanos;

  boolean hasEnqueued;

  /** When votes were last prolonged because they were too old to enter with. */
  long prolongNanos;

  boolean hasProlonged;

  /** By what it holds the lock, or will. */
  Token token;

  long handedNanos;

  /** Those who wait behind it, the earliest first. */
  final TreeMap<RequestId, WaitingRequest> queue = new TreeMap<>();

  E2eProgress(VoteSeats seats, Patience patience, RequestId id) {
    this.seats = seats;
    this.patience = patience;
    this.token = Token.first(id);
  }

  /** Whether it holds the lock by that token, or will, by whatever number. */
  boolean hasToken(Token other) {
    return isOwner() && token.winner().equals(other.winner());
  }

  boolean isOwner() {
    return phase == Phase.ACCEPTING || phase == Phase.HOLDING;
  }
}
