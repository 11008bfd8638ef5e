package io.testudo.mutex.dht.e2e;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.dht.e2e.E2eAcquisition.Phase;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteSeats;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node that wants locks and holds them, with the queue of those who wait behind it.
 * What a request says to replicas while it has no lock is {@link E2eCandidate}'s.
 */
final class E2eClient extends Part<NodeId> {
  /** Tokens that came are remembered, so that none is taken twice. */
  private static final int MAX_TAKEN = 4_096;

  private static final int MAX_WAITING = 8_192;
  private static final int MOST_FORWARDS = 8;
  private static final int RENEWALS_PER_HOLD = 3;
  private static final long LEAST_DELAY_NANOS = 1_000_000L;

  private record Due(RequestId id) implements TimerKey {}

  private record Taken(String lock, RequestId winner) {}

  private final NodeId self;
  private final E2eSettings settings;
  private final Entropy entropy;
  private final E2eCandidate candidate;
  private final TokenPasser passer;
  private final RankClock clock = new RankClock();
  private final Map<RequestId, E2eAcquisition> byId = new TreeMap<>();
  private final Map<Taken, Long> taken = BoundedMap.byAge(MAX_TAKEN);

  E2eClient(Part<NodeId> node, Overlay overlay, E2eSettings settings, Entropy entropy) {
    super(node);
    this.self = overlay.self();
    this.settings = settings;
    this.entropy = entropy;
    this.candidate = new E2eCandidate(this, overlay, settings);
    this.passer = new TokenPasser(this, overlay, settings);
    onCall(Acquire.class, this::onAcquire);
    onCall(ReleaseCall.class, this::onReleaseCall);
    onCall(RenewCall.class, this::onRenewCall);
    onMessage(VoteReply.class, this::onVoteReply);
    onMessage(Enqueue.class, this::onEnqueue);
    onMessage(Enqueued.class, this::onEnqueued);
    onMessage(Dequeue.class, (from, dequeue) -> onDequeue(dequeue));
    onMessage(NotOwner.class, this::onNotOwner);
    onMessage(TokenPass.class, this::onTokenPass);
    onMessage(WinnerReply.class, this::onWinnerReply);
    onTimer(Due.class, this::onDue);
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    if (wish.holdNanos() > settings.timing().maxHoldNanos()) {
      fail(call, settings.timing().holdTooLong(wish.lock()));
      return;
    }
    RequestId id = new RequestId(clock.next(wish.lock(), now(), entropy), self);
    E2eAcquisition acquisition =
        new E2eAcquisition(
            call,
            wish,
            id,
            new VoteSeats(wish.lock(), settings.thresholds(), settings.timing()),
            now());
    byId.put(id, acquisition);
    E2eAcquisition owner = owner(wish.lock());
    if (owner != null) { // In the own queue, as anybody else.
      owner.queue.put(id, candidate.waiter(acquisition));
      candidate.queued(acquisition, self);
    } else {
      candidate.askAll(acquisition);
    }
    schedule(acquisition);
  }

  private @Nullable E2eAcquisition owner(String lock) {
    E2eAcquisition found = null;
    for (E2eAcquisition one : byId.values()) {
      if (one.isOwner() && one.lock().equals(lock)) {
        found = found == null || one.phase == Phase.HOLDING ? one : found;
      }
    }
    return found;
  }

  private void onVoteReply(NodeId from, VoteReply reply) {
    E2eAcquisition acquisition = byId.get(reply.to());
    if (acquisition == null) {
      if (reply.isYours()) { // It is over: that vote came too late.
        send(from, new TokenRelease(reply.replica(), Token.first(reply.to())));
      }
      return;
    }
    if (acquisition.isOwner() || !acquisition.seats.take(from, reply, now())) {
      return;
    }
    decide(acquisition);
  }

  private void decide(E2eAcquisition acquisition) {
    if (acquisition.seats.hasEnough()) {
      Term term = acquisition.seats.lease(now());
      if (term != null && term.remainingNanos(now()) >= acquisition.wish.holdNanos()) {
        enter(acquisition, term);
        return;
      }
      candidate.prolong(acquisition);
    }
    candidate.decide(acquisition);
    schedule(acquisition);
  }

  private void enter(E2eAcquisition acquisition, Term term) {
    boolean hasToken = acquisition.token.seq() > 0;
    acquisition.phase = Phase.HOLDING;
    acquisition.term = term;
    acquisition.enteredNanos = now().nanos();
    acquisition.renewAtNanos = now().nanos() + acquisition.wish.holdNanos() / RENEWALS_PER_HOLD;
    passer.forgetSuccessor(acquisition.lock());
    complete(acquisition.call, new Held(acquisition.lock(), acquisition.id.time(), term));
    if (!hasToken || !settings.confirm()) {
      candidate.announce(acquisition, false);
    }
    schedule(acquisition);
  }

  private void onEnqueue(NodeId from, Enqueue enqueue) {
    RequestId id = enqueue.waiter().id();
    E2eAcquisition owner = owner(enqueue.lock());
    if (owner != null) {
      if (!owner.id.equals(id) && owner.queue.size() < MAX_WAITING) {
        boolean isNew = owner.queue.putIfAbsent(id, enqueue.waiter()) == null;
        if (isNew || from.equals(id.client())) {
          send(id.client(), new Enqueued(enqueue.lock(), id));
        }
      }
      return;
    }
    NodeId successor = passer.successor(enqueue.lock()).orElse(null);
    if (successor != null && enqueue.forwarded() < MOST_FORWARDS) {
      if (!successor.equals(id.client())) {
        send(successor, new Enqueue(enqueue.lock(), enqueue.waiter(), enqueue.forwarded() + 1));
      }
      return;
    }
    send(id.client(), new NotOwner(enqueue.lock(), id));
  }

  private void onEnqueued(NodeId from, Enqueued enqueued) {
    E2eAcquisition acquisition = byId.get(enqueued.id());
    if (acquisition == null) {
      send(from, new Dequeue(enqueued.lock(), enqueued.id()));
    } else if (!acquisition.isOwner()) {
      candidate.queued(acquisition, from);
      schedule(acquisition);
    }
  }

  private void onDequeue(Dequeue dequeue) {
    E2eAcquisition owner = owner(dequeue.lock());
    if (owner != null) {
      owner.queue.remove(dequeue.id());
    }
  }

  private void onNotOwner(NodeId from, NotOwner denied) {
    E2eAcquisition acquisition = byId.get(denied.id());
    if (acquisition != null && !acquisition.isOwner()) {
      candidate.notQueued(acquisition, from);
      schedule(acquisition);
    }
  }

  private void onTokenPass(NodeId from, TokenPass pass) {
    send(from, new TokenReceipt(pass.lock(), pass.token(), pass.to()));
    Taken key = new Taken(pass.lock(), pass.token().winner());
    if (taken.getOrDefault(key, 0L) >= pass.token().seq()) {
      return; // It came before.
    }
    taken.put(key, pass.token().seq());
    E2eAcquisition acquisition = byId.get(pass.to());
    if (acquisition == null || acquisition.isOwner()) {
      if (pass.queue().isEmpty()) {
        passer.release(pass.lock(), pass.token());
      } else {
        passer.pass(pass.lock(), pass.token(), pass.queue()); // Nobody entered by this number here.
      }
      return;
    }
    candidate.returnVotes(acquisition);
    acquisition.phase = Phase.ACCEPTING;
    acquisition.token = pass.token();
    acquisition.handedNanos = now().nanos();
    acquisition.rounds = 0;
    acquisition.seats.reset();
    pass.queue().forEach(waiter -> acquisition.queue.put(waiter.id(), waiter));
    acquisition.queue.remove(acquisition.id);
    if (settings.confirm()) {
      candidate.announce(acquisition, false);
      schedule(acquisition);
    } else {
      enter(
          acquisition, new Term(now(), settings.timing().leaseNanos(acquisition.wish.holdNanos())));
    }
  }

  private void onWinnerReply(NodeId from, WinnerReply reply) {
    E2eAcquisition acquisition = byId.get(reply.holder());
    if (acquisition == null || !acquisition.isOwner() || !acquisition.token.equals(reply.token())) {
      return;
    }
    acquisition.seats.answered(
        from, reply.replica().index(), reply.isAccepted(), reply.state(), reply.echo(), now());
    Term term = acquisition.seats.lease(now());
    if (acquisition.phase == Phase.ACCEPTING) {
      if (term != null && term.remainingNanos(now()) >= acquisition.wish.holdNanos()) {
        enter(acquisition, term);
      } else if (acquisition.seats.isOutvoted()) {
        abandon(acquisition);
      }
      return;
    }
    Term present = acquisition.term;
    if (term != null
        && present != null
        && !present.isOver(now())
        && term.remainingNanos(now()) > present.remainingNanos(now())) {
      acquisition.term = term;
      tell(new LeaseRenewed(acquisition.lock(), acquisition.id.time(), term));
      acquisition.renewals.metBy(term).forEach(met -> complete(met, term));
      schedule(acquisition);
    }
  }

  /** The token is worth nothing: its votes are another's. All ask anew. */
  private void abandon(E2eAcquisition acquisition) {
    dismissQueue(acquisition);
    acquisition.token = Token.first(acquisition.id);
    acquisition.phase = Phase.VOTING;
    acquisition.rounds = 1;
    acquisition.seats.reset();
    candidate.askAll(acquisition);
    schedule(acquisition);
  }

  private void dismissQueue(E2eAcquisition acquisition) {
    acquisition
        .queue
        .keySet()
        .forEach(id -> send(id.client(), new NotOwner(acquisition.lock(), id)));
    acquisition.queue.clear();
  }

  /** Asks at once for as long from now; it is over when enough replicas have agreed. */
  private void onRenewCall(CallId<Term> call, RenewCall renew) {
    E2eAcquisition acquisition = byId.get(new RequestId(renew.token(), self));
    Term term = acquisition == null ? null : acquisition.term;
    if (acquisition == null
        || acquisition.phase != Phase.HOLDING
        || term == null
        || term.isOver(now())) {
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
    candidate.announce(acquisition, true);
    schedule(acquisition);
  }

  private void onReleaseCall(CallId<Boolean> call, ReleaseCall release) {
    E2eAcquisition acquisition = byId.get(new RequestId(release.token(), self));
    boolean isHeld = acquisition != null && acquisition.phase == Phase.HOLDING;
    if (acquisition != null && isHeld) {
      forget(acquisition);
      if (acquisition.queue.isEmpty()) {
        passer.release(acquisition.lock(), acquisition.token);
      } else {
        passer.pass(acquisition.lock(), acquisition.token.next(), acquisition.queue.values());
      }
    }
    complete(call, isHeld);
  }

  private void forget(E2eAcquisition acquisition) {
    byId.remove(acquisition.id);
    cancelTimer(new Due(acquisition.id));
    acquisition
        .renewals
        .drain()
        .forEach(open -> fail(open, new LeaseLostException(acquisition.lock())));
  }

  /** A call that has no lock ends: nothing of it may be left. */
  private void withdraw(E2eAcquisition acquisition) {
    forget(acquisition);
    if (acquisition.phase == Phase.ACCEPTING) {
      if (acquisition.queue.isEmpty()) {
        passer.release(acquisition.lock(), acquisition.token);
      } else {
        passer.pass(acquisition.lock(), acquisition.token, acquisition.queue.values());
      }
    }
    if (acquisition.queuedAt != null) {
      send(acquisition.queuedAt, new Dequeue(acquisition.lock(), acquisition.id));
    }
    if (acquisition.rounds > 0) {
      passer.release(acquisition.lock(), Token.first(acquisition.id));
    }
  }

  void cancelled(CallId<?> call) {
    E2eAcquisition found = null;
    for (E2eAcquisition one : byId.values()) {
      found = one.call.equals(call) && one.phase != Phase.HOLDING ? one : found;
    }
    if (found != null) {
      withdraw(found);
    }
  }

  private void onDue(Due due) {
    E2eAcquisition acquisition = byId.get(due.id());
    if (acquisition == null) {
      return;
    }
    if (acquisition.phase == Phase.HOLDING) {
      onDueWhileHolding(acquisition);
      return;
    }
    if (acquisition.patienceNanos(now(), settings.answerNanos()) <= 0) {
      withdraw(acquisition);
      fail(acquisition.call, new NotAcquiredException(acquisition.lock()));
      return;
    }
    if (acquisition.phase == Phase.ACCEPTING) {
      if (now().nanos() - acquisition.handedNanos > settings.timing().maxLeaseNanos()) {
        abandon(acquisition);
      } else if (acquisition.nextAskNanos - now().nanos() <= 0) {
        candidate.announce(acquisition, false);
      }
      schedule(acquisition);
    } else {
      candidate.due(acquisition);
      decide(acquisition);
    }
  }

  private void onDueWhileHolding(E2eAcquisition acquisition) {
    Term term = acquisition.term;
    if (term == null || term.isOver(now())) {
      forget(acquisition);
      dismissQueue(acquisition);
      passer.release(acquisition.lock(), acquisition.token);
      tell(new LeaseLost(acquisition.lock(), acquisition.id.time()));
      return;
    }
    if (keeps(acquisition) && acquisition.renewAtNanos - now().nanos() <= 0) {
      acquisition.renewAtNanos = now().nanos() + acquisition.wish.holdNanos() / RENEWALS_PER_HOLD;
      candidate.announce(acquisition, true);
    }
    schedule(acquisition);
  }

  private boolean keeps(E2eAcquisition acquisition) {
    return !acquisition.renewals.isEmpty()
        || now().nanos() - acquisition.enteredNanos < acquisition.wish.keepNanos();
  }

  private void schedule(E2eAcquisition acquisition) {
    long dueNanos;
    Term term = acquisition.term;
    if (acquisition.phase == Phase.HOLDING && term != null) {
      dueNanos = term.remainingNanos(now());
      if (keeps(acquisition)) {
        dueNanos = Math.min(dueNanos, acquisition.renewAtNanos - now().nanos());
      }
    } else {
      dueNanos =
          Math.min(
              acquisition.patienceNanos(now(), settings.answerNanos()),
              candidate.untilDueNanos(acquisition));
    }
    setTimer(new Due(acquisition.id), Math.max(LEAST_DELAY_NANOS, dueNanos));
  }

  ImmutableMap<Integer, GrantId> grants(long token, Moment now) {
    E2eAcquisition acquisition = byId.get(new RequestId(token, self));
    return acquisition == null || acquisition.phase != Phase.HOLDING
        ? ImmutableMap.of()
        : acquisition.seats.grants(now);
  }
}
