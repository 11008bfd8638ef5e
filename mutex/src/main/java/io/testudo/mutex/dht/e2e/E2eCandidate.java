package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.e2e.E2eAcquisition.Phase;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteSeat;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Part;
import java.util.Optional;

/** What a request says to replicas and holders, and when. */
final class E2eCandidate extends Part<NodeId> {
  /** What is not answered is asked more and more seldom, up to 2^4 times. */
  private static final int MOST_DOUBLINGS = 4;

  private final Overlay overlay;
  private final E2eSettings settings;

  E2eCandidate(Part<NodeId> node, Overlay overlay, E2eSettings settings) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
  }

  private long leaseNanos(E2eAcquisition acquisition) {
    return settings.timing().leaseNanos(acquisition.wish.holdNanos());
  }

  /** As a holder keeps it, to whom leases do not matter. */
  WaitingRequest waiter(E2eAcquisition acquisition) {
    return new WaitingRequest(acquisition.id, leaseNanos(acquisition), 0);
  }

  private WaitingRequest waiter(E2eAcquisition acquisition, VoteSeat seat) {
    long leaseNanos = leaseNanos(acquisition);
    return new WaitingRequest(acquisition.id, leaseNanos, seat.next(now(), leaseNanos));
  }

  /** REQUEST to all that do not vote for it. Only the first time hops may stop it. */
  void askAll(E2eAcquisition acquisition) {
    boolean isFirst = acquisition.rounds == 0;
    askLater(acquisition);
    for (VoteSeat seat : acquisition.seats.all()) {
      GrantId grant = seat.grant();
      if (seat.state() == VoteSeat.State.YIELDED && grant != null) {
        // The first one may be lost, or the replica be elsewhere by now.
        overlay.route(
            seat.replica().key(),
            new VoteYield(seat.replica(), waiter(acquisition, seat), grant, true));
      } else if (seat.state() != VoteSeat.State.MINE || isShort(acquisition, seat)) {
        request(acquisition, seat, isFirst);
      }
    }
  }

  private void request(E2eAcquisition acquisition, VoteSeat seat, boolean isFirst) {
    overlay.route(
        seat.replica().key(), new VoteRequest(seat.replica(), waiter(acquisition, seat), isFirst));
  }

  private boolean isShort(E2eAcquisition acquisition, VoteSeat seat) {
    Term term = seat.term();
    return term == null || term.remainingNanos(now()) < acquisition.wish.holdNanos();
  }

  /** The votes are enough, but some were given long ago: they are prolonged before they count. */
  void prolong(E2eAcquisition acquisition) {
    boolean isRecent =
        acquisition.hasProlonged
            && now().nanos() - acquisition.prolongNanos < settings.answerNanos();
    if (!isRecent) {
      acquisition.hasProlonged = true;
      acquisition.prolongNanos = now().nanos();
      for (VoteSeat seat : acquisition.seats.in(VoteSeat.State.MINE)) {
        if (isShort(acquisition, seat)) {
          request(acquisition, seat, false);
        }
      }
    }
  }

  private void askLater(E2eAcquisition acquisition) {
    int doublings = Math.min(acquisition.rounds, MOST_DOUBLINGS);
    acquisition.rounds++;
    acquisition.nextAskNanos = now().nanos() + (settings.answerNanos() << doublings);
  }

  /** IAMWINNER to all: routed, so that hops hear of it, or to renew as directly as may be. */
  void announce(E2eAcquisition acquisition, boolean isRenewal) {
    askLater(acquisition);
    for (VoteSeat seat : acquisition.seats.all()) {
      IAmWinner winner =
          new IAmWinner(seat.replica(), acquisition.token, waiter(acquisition, seat));
      NodeId place = seat.place();
      if (isRenewal && place != null && seat.state() == VoteSeat.State.MINE) {
        send(place, winner);
      } else {
        overlay.route(seat.replica().key(), winner);
      }
    }
  }

  private void giveWay(E2eAcquisition acquisition, VoteSeat seat, GrantId grant, boolean waits) {
    seat.yielded();
    VoteYield yield = new VoteYield(seat.replica(), waiter(acquisition, seat), grant, waits);
    NodeId place = seat.place();
    if (place != null) {
      send(place, yield);
    }
  }

  private void yieldAll(E2eAcquisition acquisition, boolean waits) {
    for (VoteSeat seat : acquisition.seats.in(VoteSeat.State.MINE)) {
      GrantId grant = seat.grant();
      if (grant != null) {
        giveWay(acquisition, seat, grant, waits);
      }
    }
  }

  /** It needs no votes of its own: the token has them. */
  void returnVotes(E2eAcquisition acquisition) {
    yieldAll(acquisition, false);
  }

  /** The rules E2 and E3 of Sigma; E1 did not apply. */
  void decide(E2eAcquisition acquisition) {
    if (acquisition.phase == Phase.QUEUED) {
      returnVotes(acquisition);
      return;
    }
    Optional<RequestId> winner = acquisition.seats.winner();
    boolean hasVotes = !acquisition.seats.in(VoteSeat.State.MINE).isEmpty();
    if (winner.isPresent()) {
      if (hasVotes || acquisition.rounds > 1) {
        acquisition.seats.holderOf(winner.get()).ifPresent(holder -> enqueue(acquisition, holder));
      }
    } else if (acquisition.seats.isSplit()) {
      yieldAll(acquisition, true);
    } else if (hasVotes && !acquisition.isStuck) {
      acquisition.stuckNanos = now().nanos();
    }
    acquisition.isStuck = hasVotes;
  }

  private void enqueue(E2eAcquisition acquisition, NodeId holder) {
    boolean isRecent =
        acquisition.hasEnqueued
            && now().nanos() - acquisition.enqueueNanos < settings.answerNanos();
    if (!isRecent && !holder.equals(overlay.self())) {
      acquisition.hasEnqueued = true;
      acquisition.enqueueNanos = now().nanos();
      send(holder, new Enqueue(acquisition.lock(), waiter(acquisition), 0));
    }
  }

  /** A holder has it in its queue. */
  void queued(E2eAcquisition acquisition, NodeId holder) {
    boolean isNew = acquisition.phase != Phase.QUEUED || !holder.equals(acquisition.queuedAt);
    acquisition.phase = Phase.QUEUED;
    acquisition.queuedAt = holder;
    acquisition.heardNanos = now().nanos();
    if (isNew) {
      acquisition.nextAskNanos = now().nanos() + settings.refreshNanos();
    }
    returnVotes(acquisition);
  }

  /** That one does not hold the lock: the replicas know better, if hops keep out of it. */
  void notQueued(E2eAcquisition acquisition, NodeId from) {
    boolean isNews = acquisition.phase == Phase.VOTING || from.equals(acquisition.queuedAt);
    boolean isSoon = acquisition.nextAskNanos - now().nanos() < settings.answerNanos();
    if (isNews && (acquisition.phase == Phase.QUEUED || acquisition.rounds == 1 || isSoon)) {
      askAgain(acquisition);
    }
  }

  private void askAgain(E2eAcquisition acquisition) {
    acquisition.phase = Phase.VOTING;
    acquisition.queuedAt = null;
    acquisition.rounds = Math.max(1, acquisition.rounds);
    askAll(acquisition);
  }

  /** Time has passed, and it has no lock and no token. */
  void due(E2eAcquisition acquisition) {
    long nowNanos = now().nanos();
    if (acquisition.phase == Phase.QUEUED) {
      long silentNanos = nowNanos - acquisition.heardNanos;
      if (silentNanos > settings.refreshNanos() + 2 * settings.answerNanos()) {
        acquisition.rounds = 1;
        askAgain(acquisition); // The holder is gone, and its queue with it.
      } else if (acquisition.nextAskNanos - nowNanos <= 0 && acquisition.queuedAt != null) {
        acquisition.nextAskNanos = nowNanos + settings.refreshNanos();
        send(acquisition.queuedAt, new Enqueue(acquisition.lock(), waiter(acquisition), 0));
      }
      return;
    }
    if (acquisition.isStuck && untilStuckNanos(acquisition) <= 0) {
      acquisition.isStuck = false;
      if (acquisition.seats.enoughAnswered() && acquisition.seats.winner().isEmpty()) {
        yieldAll(acquisition, true);
      }
    }
    if (acquisition.nextAskNanos - nowNanos <= 0) {
      askAll(acquisition);
    }
  }

  private long untilStuckNanos(E2eAcquisition acquisition) {
    return acquisition.stuckNanos + 2 * settings.answerNanos() - now().nanos();
  }

  long untilDueNanos(E2eAcquisition acquisition) {
    long nowNanos = now().nanos();
    long dueNanos = acquisition.nextAskNanos - nowNanos;
    if (acquisition.phase == Phase.VOTING && acquisition.isStuck) {
      dueNanos = Math.min(dueNanos, untilStuckNanos(acquisition));
    }
    if (acquisition.phase == Phase.QUEUED) {
      long silentNanos = settings.refreshNanos() + 2 * settings.answerNanos() + 1;
      dueNanos = Math.min(dueNanos, acquisition.heardNanos + silentNanos - nowNanos);
    }
    return dueNanos;
  }
}
