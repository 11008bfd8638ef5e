package io.testudo.mutex.dht.partial;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.Patience;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.RingCall;
import io.testudo.mutex.dht.vote.RingCalls;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteSeat;
import io.testudo.mutex.dht.vote.VoteSeats;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The part of a node that wants locks and holds them. */
final class PartialClient extends Part<NodeId> {
  private static final int LONGEST_PATIENCE = 8;

  /** What is known of one call. */
  private static final class Progress {
    final VoteSeats seats;
    final Patience patience;

    /** The replicas on whose way a hop keeps it behind another. */
    final Set<Integer> heldBack = new HashSet<>();

    /** Beside the ring: by which members requests for which replica entered. */
    final Map<Integer, Ways> ways = new HashMap<>();

    long nextAskNanos;

    Progress(VoteSeats seats, Patience patience) {
      this.seats = seats;
      this.patience = patience;
    }
  }

  private final class Path implements RingCalls.Contender<Progress> {
    @Override
    public Progress begin(Acquire wish, RequestId id) {
      return new Progress(
          new VoteSeats(wish.lock(), settings.thresholds(), settings.timing()),
          new Patience(settings.answerNanos(), settings.answerNanos(), LONGEST_PATIENCE));
    }

    @Override
    public void ask(RingCall<Progress> call) {
      askAll(call, true);
    }

    @Override
    public void waits(RingCall<Progress> call) {
      if (untilStuckNanos(call.state()) <= 0) {
        makeWay(call);
      }
      if (call.state().nextAskNanos - now().nanos() <= 0) {
        askAll(call, false);
      }
    }

    @Override
    public long untilDueNanos(RingCall<Progress> call) {
      return Math.min(untilStuckNanos(call.state()), call.state().nextAskNanos - now().nanos());
    }

    @Override
    public void renew(RingCall<Progress> call) {
      askAll(call, false);
    }

    /** {@inheritDoc} RELEASE to all, along the entries that this request has made. */
    @Override
    public void ended(RingCall<Progress> call, RingCalls.Ending why) {
      for (VoteSeat seat : call.state().seats.all()) {
        PathRelease release = new PathRelease(seat.replica(), call.id(), ImmutableList.of());
        routeAlong(call.state(), seat.replica(), release);
      }
    }
  }

  private final Overlay overlay;
  private final PartialSettings settings;
  private final Entropy entropy;
  private final RingCalls<Progress> calls;

  PartialClient(Part<NodeId> node, Overlay overlay, PartialSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    this.entropy = entropy;
    this.calls =
        new RingCalls<>(
            this, overlay.self(), settings.timing(), settings.answerNanos(), entropy, new Path());
    onMessage(VoteReply.class, this::onVoteReply);
    onMessage(HeldBack.class, (from, held) -> onHeldBack(held));
  }

  private WaitingRequest waiter(RingCall<Progress> call, VoteSeat seat) {
    long leaseNanos = calls.leaseNanos(call);
    return new WaitingRequest(call.id(), leaseNanos, seat.next(now(), leaseNanos));
  }

  /**
   * REQUEST to all: the first one, the sign that it still waits, and the renewal while it holds.
   */
  private void askAll(RingCall<Progress> call, boolean isFirst) {
    call.state().nextAskNanos = now().nanos() + settings.refreshNanos();
    for (VoteSeat seat : call.state().seats.all()) {
      GrantId grant = seat.grant();
      if (seat.state() == VoteSeat.State.YIELDED && grant != null) {
        giveWay(call, seat, grant); // The first one may be lost.
      } else {
        NodeId place = seat.place();
        if (call.isHeld() && place != null) { // The path may lead behind another by now.
          send(place, new VoteRequest(seat.replica(), waiter(call, seat), isFirst));
        }
        overlay.route(
            seat.replica().key(), new VoteRequest(seat.replica(), waiter(call, seat), isFirst));
      }
    }
  }

  /** A request went this way. Beside the ring nobody but its client notes that. */
  void tookWay(VoteRequest request, NodeId next) {
    RingCall<Progress> call =
        overlay.isMember() ? null : calls.get(request.replica().lock(), request.waiter().id());
    if (call != null) {
      call.state().ways.computeIfAbsent(request.replica().index(), unused -> new Ways()).add(next);
    }
  }

  /** Whatever ways the request took: those on one of them would else wait until it fades. */
  private void routeAlong(Progress progress, ReplicaName replica, Message message) {
    Ways ways = progress.ways.get(replica.index());
    if (ways == null) {
      overlay.route(replica.key(), message);
    } else {
      ways.route(overlay, replica.key(), message, message);
    }
  }

  private void onVoteReply(NodeId from, VoteReply reply) {
    RingCall<Progress> call = calls.get(reply.replica().lock(), reply.to());
    if (call == null) {
      // It is over: that vote came too late, or a request did after its release, and those behind
      // what it left on its way would wait for nobody.
      overlay.route(
          reply.replica().key(), new PathRelease(reply.replica(), reply.to(), ImmutableList.of()));
      return;
    }
    if (!call.state().seats.take(from, reply, now())) {
      return;
    }
    if (!from.equals(overlay.self())) {
      call.state().patience.answered(call.state().seats.agoNanos(reply, now()));
    }
    call.state().heldBack.remove(reply.replica().index());
    if (call.isHeld()) {
      boolean unused = calls.prolongs(call, call.state().seats.lease(now()));
    } else {
      decide(call);
    }
    calls.schedule(call);
  }

  private void onHeldBack(HeldBack held) {
    RingCall<Progress> call = calls.get(held.replica().lock(), held.to());
    if (call != null && !call.isHeld()) {
      call.state().heldBack.add(held.replica().index());
      decide(call);
      calls.schedule(call);
    }
  }

  private void decide(RingCall<Progress> call) {
    VoteSeats seats = call.state().seats;
    if (!seats.hasEnough() || !calls.enters(call, seats.lease(now()))) {
      call.state().patience.lacks(!seats.in(VoteSeat.State.MINE).isEmpty(), now());
    }
  }

  /** It has had votes for some time, and they are not enough. */
  private void makeWay(RingCall<Progress> call) {
    for (VoteSeat seat : call.state().seats.in(VoteSeat.State.MINE)) {
      GrantId grant = seat.grant();
      if (grant != null) {
        giveWay(call, seat, grant);
      }
    }
    long unused = call.state().patience.makeWay(entropy);
  }

  private void giveWay(RingCall<Progress> call, VoteSeat seat, GrantId grant) {
    seat.yielded();
    routeAlong(
        call.state(),
        seat.replica(),
        new PathYield(seat.replica(), waiter(call, seat), grant, ImmutableList.of()));
  }

  private long untilStuckNanos(Progress progress) {
    boolean isClear =
        progress.seats.isSplit()
            || progress.heldBack.size() > settings.thresholds().toleratedDenials();
    return progress.patience.leftNanos(isClear, now());
  }

  void cancelled(CallId<?> call) {
    calls.cancelled(call);
  }

  ImmutableMap<Integer, GrantId> grants(long token, Moment now) {
    RingCall<Progress> call = calls.held(token);
    return call == null ? ImmutableMap.of() : call.state().seats.grants(now);
  }
}
