package io.testudo.mutex.dht.e2e;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.e2e.E2eProgress.Phase;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.Patience;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.RingCall;
import io.testudo.mutex.dht.vote.RingCalls;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteSeats;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Map;
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
  private static final int LONGEST_PATIENCE = 2;

  private final class TokenSeeker implements RingCalls.Contender<E2eProgress> {
    @Override
    public E2eProgress begin(Acquire wish, RequestId id) {
      return new E2eProgress(
          new VoteSeats(wish.lock(), settings.thresholds(), settings.timing()),
          new Patience(0, settings.answerNanos(), LONGEST_PATIENCE),
          id);
    }

    @Override
    public void ask(RingCall<E2eProgress> call) {
      RingCall<E2eProgress> owner = owner(call.lock());
      if (owner != null) { // In the own queue, as anybody else.
        owner.state().queue.put(call.id(), candidate.waiter(call));
        candidate.queued(call, self);
      } else {
        candidate.askAll(call);
      }
    }

    @Override
    public void waits(RingCall<E2eProgress> call) {
      if (call.state().phase != Phase.ACCEPTING) {
        candidate.due(call);
        decide(call);
      } else if (now().nanos() - call.state().handedNanos > settings.timing().maxLeaseNanos()) {
        abandon(call);
      } else if (call.state().nextAskNanos - now().nanos() <= 0) {
        candidate.announce(call, false);
      }
    }

    @Override
    public long untilDueNanos(RingCall<E2eProgress> call) {
      return candidate.untilDueNanos(call);
    }

    @Override
    public void renew(RingCall<E2eProgress> call) {
      candidate.announce(call, true);
    }

    @Override
    public void ended(RingCall<E2eProgress> call, RingCalls.Ending why) {
      switch (why) {
        case RELEASED -> handOn(call, call.state().token.next());
        case LOST -> {
          dismissQueue(call);
          passer.release(call.lock(), call.state().token, call.id());
        }
        case GIVEN_UP -> withdraw(call);
      }
    }
  }

  /** By a number of a token others may hand it back to another request of the same node. */
  private record Taken(String lock, RequestId winner, RequestId to) {}

  private final NodeId self;
  private final E2eSettings settings;
  private final E2eCandidate candidate;
  private final TokenPasser passer;
  private final RingCalls<E2eProgress> calls;
  private final Map<Taken, Long> taken = BoundedMap.byAge(MAX_TAKEN);

  /** Requests of this node whose votes others hold a lock by, or did. */
  private final Map<RequestId, Boolean> passed = BoundedMap.byAge(MAX_TAKEN);

  E2eClient(Part<NodeId> node, Overlay overlay, E2eSettings settings, Entropy entropy) {
    super(node);
    this.self = overlay.self();
    this.settings = settings;
    this.candidate = new E2eCandidate(this, overlay, settings, entropy);
    this.passer = new TokenPasser(this, overlay, settings);
    this.calls =
        new RingCalls<>(
            this, self, settings.timing(), settings.answerNanos(), entropy, new TokenSeeker());
    onMessage(VoteReply.class, this::onVoteReply);
    onMessage(Enqueue.class, this::onEnqueue);
    onMessage(Enqueued.class, this::onEnqueued);
    onMessage(Dequeue.class, (from, dequeue) -> onDequeue(dequeue));
    onMessage(NotOwner.class, this::onNotOwner);
    onMessage(TokenPass.class, this::onTokenPass);
    onMessage(WinnerReply.class, this::onWinnerReply);
  }

  private @Nullable RingCall<E2eProgress> owner(String lock) {
    RingCall<E2eProgress> found = null;
    for (RingCall<E2eProgress> one : calls.all()) {
      if (one.state().isOwner() && one.lock().equals(lock)) {
        found = found == null || one.state().phase == Phase.HOLDING ? one : found;
      }
    }
    return found;
  }

  private void onVoteReply(NodeId from, VoteReply reply) {
    RingCall<E2eProgress> call = calls.get(reply.replica().lock(), reply.to());
    if (call == null) {
      // It is over: that vote came too late, unless it belongs to a token that was handed on.
      if (reply.isYours() && !passed.containsKey(reply.to())) {
        send(from, new TokenRelease(reply.replica(), Token.first(reply.to()), reply.to()));
      }
      return;
    }
    if (call.state().isOwner() || !call.state().seats.take(from, reply, now())) {
      return;
    }
    if (!from.equals(self)) {
      call.state().patience.answered(call.state().seats.agoNanos(reply, now()));
    }
    decide(call);
    calls.schedule(call);
  }

  private void decide(RingCall<E2eProgress> call) {
    if (call.state().seats.hasEnough()) {
      if (enters(call, call.state().seats.lease(now()))) {
        return;
      }
      candidate.prolong(call);
    }
    candidate.decide(call);
  }

  private boolean enters(RingCall<E2eProgress> call, @Nullable Term term) {
    if (!calls.enters(call, term)) {
      return false;
    }
    call.state().phase = Phase.HOLDING;
    passer.forgetSuccessor(call.lock());
    boolean hasToken = call.state().token.seq() > 0;
    if (!hasToken || !settings.confirm()) {
      candidate.announce(call, false);
    }
    return true;
  }

  private void onEnqueue(NodeId from, Enqueue enqueue) {
    RequestId id = enqueue.waiter().id();
    RingCall<E2eProgress> owner = owner(enqueue.lock());
    if (owner != null) {
      if (!owner.id().equals(id) && owner.state().queue.size() < MAX_WAITING) {
        boolean isNew = owner.state().queue.putIfAbsent(id, enqueue.waiter()) == null;
        if (isNew || from.equals(id.client())) {
          send(id.client(), new Enqueued(enqueue.lock(), id));
        }
      }
      return;
    }
    RequestId successor = passer.successor(enqueue.lock()).orElse(null);
    if (successor != null && enqueue.forwarded() < MOST_FORWARDS) {
      if (!successor.equals(id)) { // Maybe of the same node, which then asks once more.
        send(
            successor.client(),
            new Enqueue(enqueue.lock(), enqueue.waiter(), enqueue.forwarded() + 1));
      }
      return;
    }
    send(id.client(), new NotOwner(enqueue.lock(), id));
  }

  private void onEnqueued(NodeId from, Enqueued enqueued) {
    RingCall<E2eProgress> call = calls.get(enqueued.lock(), enqueued.id());
    if (call == null) {
      send(from, new Dequeue(enqueued.lock(), enqueued.id()));
    } else if (!call.state().isOwner()) {
      candidate.queued(call, from);
      calls.schedule(call);
    }
  }

  private void onDequeue(Dequeue dequeue) {
    RingCall<E2eProgress> owner = owner(dequeue.lock());
    if (owner != null) {
      owner.state().queue.remove(dequeue.id());
    }
  }

  private void onNotOwner(NodeId from, NotOwner denied) {
    RingCall<E2eProgress> call = calls.get(denied.lock(), denied.id());
    if (call != null && !call.state().isOwner()) {
      candidate.notQueued(call, from);
      calls.schedule(call);
    }
  }

  private void onTokenPass(NodeId from, TokenPass pass) {
    send(from, new TokenReceipt(pass.lock(), pass.token(), pass.to()));
    Taken key = new Taken(pass.lock(), pass.token().winner(), pass.to());
    if (taken.getOrDefault(key, 0L) >= pass.token().seq()) {
      return; // It came before.
    }
    taken.put(key, pass.token().seq());
    RingCall<E2eProgress> call = calls.get(pass.lock(), pass.to());
    if (call != null && call.state().hasToken(pass.token())) {
      return; // It came so long ago that this is forgotten.
    }
    if (call == null || call.state().isOwner()) {
      ImmutableList<WaitingRequest> rest = withoutOver(pass.lock(), pass.queue());
      if (rest.isEmpty()) {
        passer.release(pass.lock(), pass.token(), pass.to());
      } else {
        passer.pass(pass.lock(), pass.token(), pass.to(), rest); // Nobody entered by it here.
      }
      return;
    }
    candidate.returnVotes(call);
    call.state().phase = Phase.ACCEPTING;
    call.state().token = pass.token();
    call.state().handedNanos = now().nanos();
    call.state().rounds = 0;
    call.state().seats.reset();
    pass.queue().stream()
        .limit(MAX_WAITING)
        .forEach(waiter -> call.state().queue.put(waiter.id(), waiter));
    call.state().queue.remove(call.id());
    if (settings.confirm()) {
      candidate.announce(call, false);
    } else {
      boolean unused = enters(call, new Term(now(), calls.leaseNanos(call)));
    }
    calls.schedule(call);
  }

  /** Requests of this node may be in a queue again by a message that came late. */
  private ImmutableList<WaitingRequest> withoutOver(String lock, List<WaitingRequest> queue) {
    return queue.stream()
        .filter(one -> !one.id().client().equals(self) || calls.get(lock, one.id()) != null)
        .collect(ImmutableList.toImmutableList());
  }

  private void onWinnerReply(NodeId from, WinnerReply reply) {
    RingCall<E2eProgress> call = calls.get(reply.replica().lock(), reply.holder());
    if (call == null || !call.state().isOwner() || !call.state().token.equals(reply.token())) {
      return;
    }
    call.state()
        .seats
        .answered(
            from, reply.replica().index(), reply.isAccepted(), reply.state(), reply.echo(), now());
    Term term = call.state().seats.lease(now());
    if (call.state().phase == Phase.HOLDING) {
      if (calls.prolongs(call, term)) {
        calls.schedule(call);
      }
    } else if (enters(call, term)) {
      calls.schedule(call);
    } else if (call.state().seats.isOutvoted()) {
      abandon(call);
      calls.schedule(call);
    }
  }

  /** The token is worth nothing: its votes are another's. All ask anew. */
  private void abandon(RingCall<E2eProgress> call) {
    dismissQueue(call);
    call.state().token = Token.first(call.id());
    call.state().phase = Phase.VOTING;
    call.state().rounds = 1;
    call.state().seats.reset();
    candidate.askAll(call);
  }

  private void dismissQueue(RingCall<E2eProgress> call) {
    call.state().queue.keySet().forEach(id -> send(id.client(), new NotOwner(call.lock(), id)));
    call.state().queue.clear();
  }

  /**
   * Hands the token to the first who waits, or gives the votes back.
   *
   * @param next by a number by which nobody has entered here. If the token came by it, others may
   *     have been sent it, too, and hold the lock
   */
  private void handOn(RingCall<E2eProgress> call, Token next) {
    if (call.state().queue.isEmpty()) {
      passer.release(call.lock(), next, call.id());
    } else {
      passed.put(call.id(), true);
      passer.pass(call.lock(), next, call.id(), call.state().queue.values());
    }
  }

  /** A call that has no lock ends: nothing of it may be left. */
  private void withdraw(RingCall<E2eProgress> call) {
    if (call.state().phase == Phase.ACCEPTING) {
      handOn(call, call.state().token);
    }
    NodeId holder = call.state().queuedAt;
    if (holder != null) {
      send(holder, new Dequeue(call.lock(), call.id()));
    }
    if (call.state().rounds > 0) {
      passer.release(call.lock(), Token.first(call.id()), call.id());
    }
  }

  void cancelled(CallId<?> call) {
    calls.cancelled(call);
  }

  ImmutableMap<Integer, GrantId> grants(long token, Moment now) {
    RingCall<E2eProgress> call = calls.held(token);
    return call == null ? ImmutableMap.of() : call.state().seats.grants(now);
  }
}
