package io.testudo.mutex.dht.zone;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.Patience;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.RingCall;
import io.testudo.mutex.dht.vote.RingCalls;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of a node that wants locks and holds them. It asks all members: those that it knows, and
 * those that are named in answers.
 */
final class ZoneClient extends Part<NodeId> {
  private static final int LONGEST_PATIENCE = 16;

  /**
   * So many that nobody has named before one member may name to each message of a request where
   * some lie: else one could name so many that there is room for no others, neither here nor among
   * the connections of this node. Leaves come first, so all are still found.
   */
  private static final int MAX_NAMED = 64;

  /** What is known of one call. */
  private static final class Progress {
    final ZoneTally tally;
    final Patience patience;

    /** Whom the present message went to: whoever is named by others gets it, too. */
    final Set<NodeId> asked = new HashSet<>();

    /** How many of those each member was the first to name. */
    final Map<NodeId, Integer> named = new HashMap<>();

    /** The number of that message. */
    long attempt;

    long nextAskNanos;

    final RollCall roll;

    Progress(ZoneTally tally, RollCall roll, Patience patience) {
      this.tally = tally;
      this.roll = roll;
      this.patience = patience;
    }
  }

  private final class Everybody implements RingCalls.Contender<Progress> {
    @Override
    public Progress begin(Acquire wish, RequestId id) {
      return new Progress(
          new ZoneTally(wish.lock(), settings, sightings),
          new RollCall(silent, settings.rollCallNanos()),
          new Patience(settings.answerNanos(), settings.answerNanos(), LONGEST_PATIENCE));
    }

    @Override
    public void ask(RingCall<Progress> call) {
      if (countsFromNanos - now().nanos() > 0) {
        call.state().nextAskNanos = countsFromNanos;
      } else {
        askAll(call);
      }
    }

    @Override
    public void waits(RingCall<Progress> call) {
      if (!call.state().roll.wasOver() && call.state().roll.isOver(now())) {
        count(call);
        if (!call.isHeld()) {
          askAll(call); // What was said while it lasted may be too old for a hold.
        }
        return;
      }
      if (untilStuckNanos(call.state()) <= 0) {
        makeWay(call);
      }
      if (call.state().nextAskNanos - now().nanos() <= 0) {
        askAll(call);
      }
    }

    @Override
    public long untilDueNanos(RingCall<Progress> call) {
      long askNanos = call.state().nextAskNanos - now().nanos();
      long rollNanos = call.state().roll.leftNanos(now());
      return Math.min(untilStuckNanos(call.state()), Math.min(askNanos, rollNanos));
    }

    @Override
    public void renew(RingCall<Progress> call) {
      askAll(call);
    }

    @Override
    public void ended(RingCall<Progress> call, RingCalls.Ending why) {
      ZoneRelease release = new ZoneRelease(call.lock(), call.id());
      call.state().tally.members().forEach(call.state().asked::add);
      call.state().asked.stream().sorted().forEach(member -> send(member, release));
    }
  }

  private final Overlay overlay;
  private final ZoneSettings settings;
  private final Entropy entropy;
  private final Sightings sightings;
  private final SilentMembers silent;
  private final RingCalls<Progress> calls;

  /** A client that starts hears all first through which it enters: some of them may lie. */
  private long countsFromNanos;

  ZoneClient(Part<NodeId> node, Overlay overlay, ZoneSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    this.entropy = entropy;
    this.sightings = new Sightings(settings.sightingNanos());
    this.silent = new SilentMembers(settings.sightingNanos());
    this.calls =
        new RingCalls<>(
            this,
            overlay.self(),
            settings.timing(),
            settings.leastWaitNanos(),
            entropy,
            new Everybody());
    onMessage(ZoneVote.class, this::onVote);
  }

  void started() {
    countsFromNanos = now().nanos() + (overlay.isMember() ? 0 : settings.rollCallNanos());
  }

  private WaitingRequest waiter(RingCall<Progress> call) {
    return new WaitingRequest(call.id(), calls.leaseNanos(call), call.state().attempt);
  }

  /** The first request, the sign that it still waits, and the renewal while it holds. */
  private void askAll(RingCall<Progress> call) {
    Progress progress = call.state();
    progress.nextAskNanos = now().nanos() + settings.refreshNanos();
    progress.asked.clear();
    progress.named.clear();
    progress.attempt = progress.tally.next(now(), calls.leaseNanos(call));
    ImmutableMap<NodeId, GrantId> yielded = progress.tally.yielded();
    if (settings.queues()) { // The first one may be lost, and says as much as a request.
      yielded.forEach(
          (member, grant) -> {
            progress.asked.add(member);
            send(member, new ZoneYield(call.lock(), waiter(call), grant));
          });
    }
    if (overlay.isMember()) {
      boolean unused = ask(call, overlay.self());
    } else if (!settings.certificates().areProofs()) { // Whoever it is names others.
      overlay.route(entropy.nextLong(), new ZoneRequest(call.lock(), waiter(call)));
    }
    overlay.known().forEach(member -> ask(call, member));
    progress.tally.members().forEach(member -> ask(call, member));
    if (settings.certificates().areProofs()) { // Not only those whom liars name.
      sightings.lately(now()).forEach(member -> ask(call, member));
    }
    if (progress.asked.isEmpty()) {
      progress.nextAskNanos = now().nanos() + settings.answerNanos();
    }
  }

  /** Whether it was not asked before. */
  private boolean ask(RingCall<Progress> call, NodeId member) {
    Set<NodeId> asked = call.state().asked;
    boolean isNew = asked.size() < ZoneTally.MAX_MEMBERS && asked.add(member);
    if (isNew) {
      send(member, new ZoneRequest(call.lock(), waiter(call)));
      if (!member.equals(overlay.self())) {
        call.state().roll.asked(member, now());
      }
    }
    return isNew;
  }

  private void askNamed(RingCall<Progress> call, NodeId by, List<NodeId> named) {
    boolean mayLie = settings.certificates().areProofs() && !by.equals(overlay.self());
    int count = call.state().named.getOrDefault(by, 0);
    for (NodeId member : named) {
      if (mayLie && count >= MAX_NAMED) {
        break;
      }
      count += ask(call, member) ? 1 : 0;
    }
    call.state().named.put(by, count);
  }

  private void onVote(NodeId from, ZoneVote vote) {
    RequestId id = vote.reply().to();
    RingCall<Progress> call = calls.get(vote.reply().replica().lock(), id);
    if (call == null) {
      if (vote.reply().isYours()) { // It is over: that vote came too late.
        send(from, new ZoneRelease(vote.reply().replica().lock(), id));
      }
      return;
    }
    ZoneTally tally = call.state().tally;
    if (!tally.take(from, vote, now())) {
      return;
    }
    if (settings.queues() && !from.equals(overlay.self())) { // Without, haste makes more collide.
      call.state().patience.answered(tally.agoNanos(vote.reply(), now()));
    }
    askNamed(call, from, vote.nearby());
    call.state().roll.answered(from);
    if (call.isHeld()) {
      boolean unused = calls.prolongs(call, tally.lease(now()));
    } else if (call.state().roll.isOver(now())) {
      count(call);
    }
    calls.schedule(call);
  }

  /** It enters if the votes are enough. */
  private void count(RingCall<Progress> call) {
    ZoneTally tally = call.state().tally;
    if (!calls.enters(call, tally.lease(now()))) {
      call.state().patience.lacks(!tally.mine().isEmpty(), now());
    }
  }

  /**
   * It has had votes for some time, and they are not enough. Without queues it has to ask again,
   * and does so after the time that it bears that next.
   */
  private void makeWay(RingCall<Progress> call) {
    Progress progress = call.state();
    progress.attempt = progress.tally.next(now(), calls.leaseNanos(call));
    progress
        .tally
        .mine()
        .forEach(
            (member, grant) -> {
              progress.tally.giveUp(member);
              send(member, new ZoneYield(call.lock(), waiter(call), grant));
            });
    long nextNanos = progress.patience.makeWay(entropy);
    if (!settings.queues()) {
      progress.nextAskNanos = now().nanos() + nextNanos;
    }
  }

  private long untilStuckNanos(Progress progress) {
    return progress.patience.leftNanos(progress.tally.isSplit(now()), now());
  }

  void cancelled(CallId<?> call) {
    calls.cancelled(call);
  }

  ImmutableMap<Integer, GrantId> grants(long token, Moment now) {
    RingCall<Progress> call = calls.held(token);
    return call == null ? ImmutableMap.of() : call.state().tally.grants(now);
  }
}
