package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.e2e.E2eProgress.Phase;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.RingCall;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteSeat;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.Optional;

/** What a request says to replicas and holders, and when. */
final class E2eCandidate extends Part<NodeId> {
  /** A request that holders do not have is asked again more and more seldom, up to 2^6 times. */
  private static final int MOST_DENIALS = 6;

  /** What is not answered is asked more and more seldom, up to 2^4 times. */
  private static final int MOST_DOUBLINGS = 4;

  private final Overlay overlay;
  private final E2eSettings settings;
  private final Entropy entropy;

  E2eCandidate(Part<NodeId> node, Overlay overlay, E2eSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    this.entropy = entropy;
  }

  private long leaseNanos(RingCall<E2eProgress> call) {
    return settings.timing().leaseNanos(call.holdNanos());
  }

  /** As a holder keeps it, to whom leases do not matter. */
  WaitingRequest waiter(RingCall<E2eProgress> call) {
    return new WaitingRequest(call.id(), leaseNanos(call), 0);
  }

  private WaitingRequest waiter(RingCall<E2eProgress> call, VoteSeat seat) {
    long leaseNanos = leaseNanos(call);
    return new WaitingRequest(call.id(), leaseNanos, seat.next(now(), leaseNanos));
  }

  /** REQUEST to all that do not vote for it. Only the first time hops may stop it. */
  void askAll(RingCall<E2eProgress> call) {
    if (call.state().isDenied) {
      call.state().isDenied = false;
      call.state().denials++;
      call.state().rounds = 1;
    }
    boolean isFirst = call.state().rounds == 0;
    askLater(call);
    for (VoteSeat seat : call.state().seats.all()) {
      GrantId grant = seat.grant();
      if (seat.state() == VoteSeat.State.YIELDED && grant != null) {
        // The first one may be lost, or the replica be elsewhere by now.
        overlay.route(
            seat.replica().key(), new VoteYield(seat.replica(), waiter(call, seat), grant, true));
      } else if (seat.state() != VoteSeat.State.MINE || isShort(call, seat)) {
        request(call, seat, isFirst);
      }
    }
  }

  private void request(RingCall<E2eProgress> call, VoteSeat seat, boolean isFirst) {
    overlay.route(
        seat.replica().key(), new VoteRequest(seat.replica(), waiter(call, seat), isFirst));
  }

  private boolean isShort(RingCall<E2eProgress> call, VoteSeat seat) {
    Term term = seat.term();
    return term == null || term.remainingNanos(now()) < call.holdNanos();
  }

  /** The votes are enough, but some were given long ago: they are prolonged before they count. */
  void prolong(RingCall<E2eProgress> call) {
    boolean isRecent =
        call.state().hasProlonged
            && now().nanos() - call.state().prolongNanos < settings.answerNanos();
    if (!isRecent) {
      call.state().hasProlonged = true;
      call.state().prolongNanos = now().nanos();
      for (VoteSeat seat : call.state().seats.in(VoteSeat.State.MINE)) {
        if (isShort(call, seat)) {
          request(call, seat, false);
        }
      }
    }
  }

  private void askLater(RingCall<E2eProgress> call) {
    int doublings = Math.min(call.state().rounds, MOST_DOUBLINGS);
    call.state().rounds++;
    call.state().nextAskNanos = now().nanos() + (settings.answerNanos() << doublings);
  }

  /** IAMWINNER to all: routed, so that hops hear of it, or to renew as directly as may be. */
  void announce(RingCall<E2eProgress> call, boolean isRenewal) {
    askLater(call);
    for (VoteSeat seat : call.state().seats.all()) {
      IAmWinner winner = new IAmWinner(seat.replica(), call.state().token, waiter(call, seat));
      NodeId place = seat.place();
      if (isRenewal && place != null && seat.state() == VoteSeat.State.MINE) {
        send(place, winner);
      } else {
        overlay.route(seat.replica().key(), winner);
      }
    }
  }

  private void giveWay(RingCall<E2eProgress> call, VoteSeat seat, GrantId grant, boolean waits) {
    seat.yielded();
    VoteYield yield = new VoteYield(seat.replica(), waiter(call, seat), grant, waits);
    NodeId place = seat.place();
    if (place != null) {
      send(place, yield);
    }
  }

  private void yieldAll(RingCall<E2eProgress> call, boolean waits) {
    for (VoteSeat seat : call.state().seats.in(VoteSeat.State.MINE)) {
      GrantId grant = seat.grant();
      if (grant != null) {
        giveWay(call, seat, grant, waits);
      }
    }
  }

  /** It needs no votes of its own: the token has them. */
  void returnVotes(RingCall<E2eProgress> call) {
    yieldAll(call, false);
  }

  /** The rules E2 and E3 of Sigma; E1 did not apply. */
  void decide(RingCall<E2eProgress> call) {
    if (call.state().phase == Phase.QUEUED) {
      returnVotes(call);
      return;
    }
    Optional<RequestId> winner = call.state().seats.winner();
    boolean hasVotes = !call.state().seats.in(VoteSeat.State.MINE).isEmpty();
    if (winner.isPresent()) {
      if (hasVotes || call.state().rounds > 1) {
        call.state().seats.holderOf(winner.get()).ifPresent(holder -> enqueue(call, holder));
      }
      call.state().patience.lacks(false, now()); // That one does not wait for its votes.
      return;
    }
    call.state().patience.lacks(hasVotes, now());
    if (untilStuckNanos(call) <= 0) {
      makeWay(call);
    }
  }

  /**
   * Nobody has enough: the votes go to the earliest. What comes back then it keeps for some time:
   * there is no earlier one at that replica.
   */
  private void makeWay(RingCall<E2eProgress> call) {
    yieldAll(call, true);
    long unused = call.state().patience.makeWay(entropy);
  }

  private void enqueue(RingCall<E2eProgress> call, NodeId holder) {
    boolean isRecent =
        call.state().hasEnqueued
            && now().nanos() - call.state().enqueueNanos < settings.answerNanos();
    if (!isRecent && !holder.equals(overlay.self())) {
      call.state().hasEnqueued = true;
      call.state().enqueueNanos = now().nanos();
      send(holder, new Enqueue(call.lock(), waiter(call), 0));
    }
  }

  /** A holder has it in its queue. */
  void queued(RingCall<E2eProgress> call, NodeId holder) {
    boolean isNew = call.state().phase != Phase.QUEUED || !holder.equals(call.state().queuedAt);
    call.state().phase = Phase.QUEUED;
    call.state().queuedAt = holder;
    call.state().heardNanos = now().nanos();
    if (isNew) {
      call.state().nextAskNanos = now().nanos() + settings.refreshNanos();
    }
    returnVotes(call);
  }

  /** That one does not hold the lock: the replicas know better, if hops keep out of it. */
  void notQueued(RingCall<E2eProgress> call, NodeId from) {
    boolean isNews = call.state().phase == Phase.VOTING || from.equals(call.state().queuedAt);
    if (isNews && (call.state().phase == Phase.QUEUED || call.state().rounds == 1)) {
      askAgain(call);
    } else if (isNews) {
      // Replicas have sent it there, and do not keep it: it is in no queue at all.
      call.state().isDenied = true;
      long paceNanos =
          call.state().patience.paceNanos() << Math.min(call.state().denials, MOST_DENIALS);
      call.state().nextAskNanos = Math.min(call.state().nextAskNanos, now().nanos() + paceNanos);
    }
  }

  private void askAgain(RingCall<E2eProgress> call) {
    call.state().phase = Phase.VOTING;
    call.state().queuedAt = null;
    call.state().rounds = Math.max(1, call.state().rounds);
    askAll(call);
  }

  /** Time has passed, and it has no lock and no token. */
  void due(RingCall<E2eProgress> call) {
    long nowNanos = now().nanos();
    if (call.state().phase == Phase.QUEUED) {
      NodeId holder = call.state().queuedAt;
      long silentNanos = nowNanos - call.state().heardNanos;
      if (silentNanos > settings.refreshNanos() + 2 * settings.answerNanos()) {
        call.state().rounds = 1;
        askAgain(call); // The holder is gone, and its queue with it.
      } else if (call.state().nextAskNanos - nowNanos <= 0 && holder != null) {
        call.state().nextAskNanos = nowNanos + settings.refreshNanos();
        send(holder, new Enqueue(call.lock(), waiter(call), 0));
      }
      return;
    }
    if (call.state().nextAskNanos - nowNanos <= 0) {
      askAll(call);
    }
  }

  private long untilStuckNanos(RingCall<E2eProgress> call) {
    boolean isClear = call.state().seats.isSplit();
    if (!isClear && !call.state().seats.enoughAnswered()) {
      return Long.MAX_VALUE;
    }
    return call.state().patience.leftNanos(isClear, now());
  }

  long untilDueNanos(RingCall<E2eProgress> call) {
    long nowNanos = now().nanos();
    long dueNanos = call.state().nextAskNanos - nowNanos;
    if (call.state().phase == Phase.VOTING) {
      dueNanos = Math.min(dueNanos, untilStuckNanos(call));
    }
    if (call.state().phase == Phase.QUEUED) {
      long silentNanos = settings.refreshNanos() + 2 * settings.answerNanos() + 1;
      dueNanos = Math.min(dueNanos, call.state().heardNanos + silentNanos - nowNanos);
    }
    return dueNanos;
  }
}
