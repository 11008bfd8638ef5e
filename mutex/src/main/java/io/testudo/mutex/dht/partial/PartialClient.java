package io.testudo.mutex.dht.partial;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteSeat;
import io.testudo.mutex.dht.vote.VoteSeats;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.Map;
import java.util.TreeMap;

/** The part of a node that wants locks and holds them. */
final class PartialClient extends Part<NodeId> {
  private static final int RENEWALS_PER_HOLD = 3;
  private static final int LONGEST_PATIENCE = 8;
  private static final long LEAST_DELAY_NANOS = 1_000_000L;

  private record Due(RequestId id) implements TimerKey {}

  private final Overlay overlay;
  private final PartialSettings settings;
  private final Entropy entropy;
  private final RankClock clock = new RankClock();
  private final Map<RequestId, PartialAcquisition> byId = new TreeMap<>();

  PartialClient(Part<NodeId> node, Overlay overlay, PartialSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    this.entropy = entropy;
    onCall(Acquire.class, this::onAcquire);
    onCall(ReleaseCall.class, this::onReleaseCall);
    onCall(RenewCall.class, this::onRenewCall);
    onMessage(VoteReply.class, this::onVoteReply);
    onMessage(HeldBack.class, (from, held) -> onHeldBack(held));
    onTimer(Due.class, this::onDue);
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    if (wish.holdNanos() > settings.timing().maxHoldNanos()) {
      fail(call, settings.timing().holdTooLong(wish.lock()));
      return;
    }
    RequestId id = new RequestId(clock.next(wish.lock(), now(), entropy), overlay.self());
    VoteSeats seats = new VoteSeats(wish.lock(), settings.thresholds(), settings.timing());
    PartialAcquisition acquisition = new PartialAcquisition(call, wish, id, seats, now());
    acquisition.patienceNanos = settings.answerNanos();
    byId.put(id, acquisition);
    askAll(acquisition, true);
    schedule(acquisition);
  }

  private WaitingRequest waiter(PartialAcquisition acquisition, VoteSeat seat) {
    long leaseNanos = settings.timing().leaseNanos(acquisition.wish.holdNanos());
    return new WaitingRequest(acquisition.id, leaseNanos, seat.next(now(), leaseNanos));
  }

  /**
   * REQUEST to all: the first one, the sign that it still waits, and the renewal while it holds.
   */
  private void askAll(PartialAcquisition acquisition, boolean isFirst) {
    acquisition.nextAskNanos = now().nanos() + settings.refreshNanos();
    for (VoteSeat seat : acquisition.seats.all()) {
      GrantId grant = seat.grant();
      if (seat.state() == VoteSeat.State.YIELDED && grant != null) {
        giveWay(acquisition, seat, grant); // The first one may be lost.
      } else {
        NodeId place = seat.place();
        if (acquisition.isHeld() && place != null) { // The path may lead behind another by now.
          send(place, new VoteRequest(seat.replica(), waiter(acquisition, seat), isFirst));
        }
        overlay.route(
            seat.replica().key(),
            new VoteRequest(seat.replica(), waiter(acquisition, seat), isFirst));
      }
    }
  }

  private void onVoteReply(NodeId from, VoteReply reply) {
    PartialAcquisition acquisition = byId.get(reply.to());
    if (acquisition == null) {
      if (reply.isYours()) { // It is over: that vote came too late.
        overlay.route(
            reply.replica().key(),
            new PathRelease(reply.replica(), reply.to(), ImmutableList.of()));
      }
      return;
    }
    if (!acquisition.seats.take(from, reply, now())) {
      return;
    }
    acquisition.heldBack.remove(reply.replica().index());
    if (acquisition.isHeld()) {
      onNewsWhileHeld(acquisition);
    } else {
      decide(acquisition);
    }
    schedule(acquisition);
  }

  private void onNewsWhileHeld(PartialAcquisition acquisition) {
    Term present = acquisition.term;
    Term term = acquisition.seats.lease(now());
    if (term != null
        && present != null
        && !present.isOver(now())
        && term.remainingNanos(now()) > present.remainingNanos(now())) {
      acquisition.term = term;
      tell(new LeaseRenewed(acquisition.lock(), acquisition.id.time(), term));
      acquisition.renewals.metBy(term).forEach(met -> complete(met, term));
    }
  }

  private void onHeldBack(HeldBack held) {
    PartialAcquisition acquisition = byId.get(held.to());
    if (acquisition != null && !acquisition.isHeld()) {
      acquisition.heldBack.add(held.replica().index());
      decide(acquisition);
      schedule(acquisition);
    }
  }

  private void decide(PartialAcquisition acquisition) {
    VoteSeats seats = acquisition.seats;
    if (seats.hasEnough()) {
      Term term = seats.lease(now());
      if (term != null && term.remainingNanos(now()) >= acquisition.wish.holdNanos()) {
        enter(acquisition, term);
        return;
      }
    }
    boolean hasVotes = !seats.in(VoteSeat.State.MINE).isEmpty();
    if (hasVotes && !acquisition.isStuck) {
      acquisition.stuckNanos = now().nanos();
    }
    acquisition.isStuck = hasVotes;
  }

  private void enter(PartialAcquisition acquisition, Term term) {
    acquisition.term = term;
    acquisition.isStuck = false;
    acquisition.enteredNanos = now().nanos();
    acquisition.renewAtNanos = now().nanos() + acquisition.wish.holdNanos() / RENEWALS_PER_HOLD;
    complete(acquisition.call, new Held(acquisition.lock(), acquisition.id.time(), term));
  }

  /**
   * It has had votes for some time, and they are not enough: others that have some wait as it does.
   * It makes way, and bears the next such time longer, by chance, so that not all move in step.
   */
  private void onStuck(PartialAcquisition acquisition) {
    acquisition.isStuck = false;
    for (VoteSeat seat : acquisition.seats.in(VoteSeat.State.MINE)) {
      GrantId grant = seat.grant();
      if (grant != null) {
        giveWay(acquisition, seat, grant);
      }
    }
    long base = settings.answerNanos();
    long doubled = Math.min(2 * acquisition.patienceNanos, LONGEST_PATIENCE * base);
    acquisition.patienceNanos = base + entropy.nextLong(doubled);
  }

  private void giveWay(PartialAcquisition acquisition, VoteSeat seat, GrantId grant) {
    seat.yielded();
    overlay.route(
        seat.replica().key(),
        new PathYield(seat.replica(), waiter(acquisition, seat), grant, ImmutableList.of()));
  }

  private long untilStuckNanos(PartialAcquisition acquisition) {
    if (!acquisition.isStuck) {
      return Long.MAX_VALUE;
    }
    // Where nobody can have enough there is nothing to wait for but the next yield of others.
    boolean isClear =
        acquisition.seats.isSplit()
            || acquisition.heldBack.size() > settings.thresholds().toleratedDenials();
    long bearsNanos = isClear ? acquisition.patienceNanos : 2 * acquisition.patienceNanos;
    return acquisition.stuckNanos + bearsNanos - now().nanos();
  }

  /** Asks at once for as long from now; it is over when enough replicas have agreed. */
  private void onRenewCall(CallId<Term> call, RenewCall renew) {
    PartialAcquisition acquisition = byId.get(new RequestId(renew.token(), overlay.self()));
    Term term = acquisition == null ? null : acquisition.term;
    if (acquisition == null || !acquisition.isHeld() || term == null || term.isOver(now())) {
      fail(call, new LeaseLostException(renew.lock()));
      return;
    }
    if (renew.holdNanos() > settings.timing().maxHoldNanos()) {
      fail(call, settings.timing().holdTooLong(renew.lock()));
      return;
    }
    acquisition.wish = acquisition.wish.withHold(renew.holdNanos());
    acquisition.renewals.add(call, now().nanos() + renew.holdNanos());
    acquisition.renewals.metBy(term).forEach(met -> complete(met, term));
    acquisition.renewAtNanos = now().nanos() + renew.holdNanos() / RENEWALS_PER_HOLD;
    askAll(acquisition, false);
    schedule(acquisition);
  }

  private void onReleaseCall(CallId<Boolean> call, ReleaseCall release) {
    PartialAcquisition acquisition = byId.get(new RequestId(release.token(), overlay.self()));
    boolean isHeld = acquisition != null && acquisition.isHeld();
    if (acquisition != null && isHeld) {
      leave(acquisition);
    }
    complete(call, isHeld);
  }

  /** RELEASE to all, along the entries that this request has made. */
  private void leave(PartialAcquisition acquisition) {
    byId.remove(acquisition.id);
    cancelTimer(new Due(acquisition.id));
    acquisition
        .renewals
        .drain()
        .forEach(open -> fail(open, new LeaseLostException(acquisition.lock())));
    for (VoteSeat seat : acquisition.seats.all()) {
      overlay.route(
          seat.replica().key(),
          new PathRelease(seat.replica(), acquisition.id, ImmutableList.of()));
    }
  }

  void cancelled(CallId<?> call) {
    PartialAcquisition found = null;
    for (PartialAcquisition one : byId.values()) {
      found = one.call.equals(call) && !one.isHeld() ? one : found;
    }
    if (found != null) {
      leave(found);
    }
  }

  private void onDue(Due due) {
    PartialAcquisition acquisition = byId.get(due.id());
    if (acquisition == null) {
      return;
    }
    Term term = acquisition.term;
    if (term != null) {
      if (term.isOver(now())) {
        leave(acquisition);
        tell(new LeaseLost(acquisition.lock(), acquisition.id.time()));
        return;
      }
      if (keeps(acquisition) && acquisition.renewAtNanos - now().nanos() <= 0) {
        acquisition.renewAtNanos = now().nanos() + acquisition.wish.holdNanos() / RENEWALS_PER_HOLD;
        askAll(acquisition, false);
      }
    } else if (acquisition.callerNanos(now(), settings.answerNanos()) <= 0) {
      leave(acquisition);
      fail(acquisition.call, new NotAcquiredException(acquisition.lock()));
      return;
    } else {
      if (untilStuckNanos(acquisition) <= 0) {
        onStuck(acquisition);
      }
      if (acquisition.nextAskNanos - now().nanos() <= 0) {
        askAll(acquisition, false);
      }
    }
    schedule(acquisition);
  }

  private boolean keeps(PartialAcquisition acquisition) {
    return !acquisition.renewals.isEmpty()
        || now().nanos() - acquisition.enteredNanos < acquisition.wish.keepNanos();
  }

  private void schedule(PartialAcquisition acquisition) {
    Term term = acquisition.term;
    long dueNanos;
    if (term != null) {
      dueNanos = term.remainingNanos(now());
      if (keeps(acquisition)) {
        dueNanos = Math.min(dueNanos, acquisition.renewAtNanos - now().nanos());
      }
    } else {
      dueNanos = acquisition.callerNanos(now(), settings.answerNanos());
      dueNanos = Math.min(dueNanos, untilStuckNanos(acquisition));
      dueNanos = Math.min(dueNanos, acquisition.nextAskNanos - now().nanos());
    }
    setTimer(new Due(acquisition.id), Math.max(LEAST_DELAY_NANOS, dueNanos));
  }

  ImmutableMap<Integer, GrantId> grants(long token, Moment now) {
    PartialAcquisition acquisition = byId.get(new RequestId(token, overlay.self()));
    return acquisition == null || !acquisition.isHeld()
        ? ImmutableMap.of()
        : acquisition.seats.grants(now);
  }
}
