package io.testudo.mutex.dht.zone;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a node that wants locks and holds them. It asks all members: those that it knows, and
 * those that are named in answers.
 */
final class ZoneClient extends Part<NodeId> {
  private static final int RENEWALS_PER_HOLD = 3;
  private static final int LONGEST_PATIENCE = 16;
  private static final long LEAST_DELAY_NANOS = 1_000_000L;

  private record ZoneDue(RequestId id) implements TimerKey {}

  private final Overlay overlay;
  private final ZoneSettings settings;
  private final Entropy entropy;
  private final Sightings sightings;
  private final RankClock clock = new RankClock();
  private final Map<RequestId, ZoneAcquisition> byId = new TreeMap<>();

  ZoneClient(Part<NodeId> node, Overlay overlay, ZoneSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    this.entropy = entropy;
    this.sightings = new Sightings(settings.sightingNanos());
    onCall(Acquire.class, this::onAcquire);
    onCall(ReleaseCall.class, this::onReleaseCall);
    onMessage(ZoneVote.class, this::onVote);
    onTimer(ZoneDue.class, this::onDue);
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    if (wish.holdNanos() > settings.timing().maxHoldNanos()) {
      fail(call, settings.timing().holdTooLong(wish.lock()));
      return;
    }
    RequestId id = new RequestId(clock.next(wish.lock(), now(), entropy), overlay.self());
    ZoneTally tally = new ZoneTally(wish.lock(), settings, sightings);
    ZoneAcquisition acquisition = new ZoneAcquisition(call, wish, id, tally, now());
    acquisition.patienceNanos = settings.answerNanos();
    byId.put(id, acquisition);
    askAll(acquisition);
    schedule(acquisition);
  }

  private long leaseNanos(ZoneAcquisition acquisition) {
    return settings.timing().leaseNanos(acquisition.wish.holdNanos());
  }

  private WaitingRequest waiter(ZoneAcquisition acquisition) {
    return new WaitingRequest(acquisition.id, leaseNanos(acquisition), acquisition.attempt);
  }

  /** The first request, the sign that it still waits, and the renewal while it holds. */
  private void askAll(ZoneAcquisition acquisition) {
    acquisition.nextAskNanos =
        now().nanos()
            + (acquisition.isHeld()
                ? acquisition.wish.holdNanos() / RENEWALS_PER_HOLD
                : settings.refreshNanos());
    acquisition.asked.clear();
    acquisition.attempt = acquisition.tally.next(now(), leaseNanos(acquisition));
    ImmutableMap<NodeId, GrantId> yielded = acquisition.tally.yielded();
    if (settings.queues()) { // The first one may be lost, and says as much as a request.
      yielded.forEach(
          (member, grant) -> {
            acquisition.asked.add(member);
            send(member, new ZoneYield(acquisition.lock(), waiter(acquisition), grant));
          });
    }
    if (overlay.isMember()) {
      ask(acquisition, overlay.self());
    } else { // Whoever it is names others.
      overlay.route(entropy.nextLong(), new ZoneRequest(acquisition.lock(), waiter(acquisition)));
    }
    overlay.known().forEach(member -> ask(acquisition, member));
    acquisition.tally.members().forEach(member -> ask(acquisition, member));
  }

  private void ask(ZoneAcquisition acquisition, NodeId member) {
    if (acquisition.asked.add(member)) {
      send(member, new ZoneRequest(acquisition.lock(), waiter(acquisition)));
    }
  }

  private void onVote(NodeId from, ZoneVote vote) {
    RequestId id = vote.reply().to();
    ZoneAcquisition acquisition = byId.get(id);
    if (acquisition == null) {
      if (vote.reply().isYours()) { // It is over: that vote came too late.
        send(from, new ZoneRelease(vote.reply().replica().lock(), id));
      }
      return;
    }
    if (!acquisition.tally.take(from, vote, now())) {
      return;
    }
    vote.nearby().forEach(member -> ask(acquisition, member));
    if (acquisition.isHeld()) {
      onNewsWhileHeld(acquisition);
    } else {
      decide(acquisition);
    }
    schedule(acquisition);
  }

  private void onNewsWhileHeld(ZoneAcquisition acquisition) {
    Term present = acquisition.term;
    Term term = acquisition.tally.lease(now());
    if (term != null
        && present != null
        && !present.isOver(now())
        && term.remainingNanos(now()) > present.remainingNanos(now())) {
      acquisition.term = term;
      tell(new LeaseRenewed(acquisition.lock(), acquisition.id.time(), term));
    }
  }

  private void decide(ZoneAcquisition acquisition) {
    Term term = acquisition.tally.lease(now());
    if (term != null && term.remainingNanos(now()) >= acquisition.wish.holdNanos()) {
      acquisition.term = term;
      acquisition.isStuck = false;
      acquisition.enteredNanos = now().nanos();
      acquisition.nextAskNanos = now().nanos() + acquisition.wish.holdNanos() / RENEWALS_PER_HOLD;
      complete(acquisition.call, new Held(acquisition.lock(), acquisition.id.time(), term));
      return;
    }
    boolean hasVotes = !acquisition.tally.mine().isEmpty();
    if (hasVotes && !acquisition.isStuck) {
      acquisition.stuckNanos = now().nanos();
    }
    acquisition.isStuck = hasVotes;
  }

  /**
   * It has had votes for some time, and they are not enough. It makes way, and bears the next such
   * time longer, by chance, so that not all move in step. Without queues it has to ask again, and
   * does so after that time.
   */
  private void onStuck(ZoneAcquisition acquisition) {
    acquisition.isStuck = false;
    acquisition.attempt = acquisition.tally.next(now(), leaseNanos(acquisition));
    acquisition
        .tally
        .mine()
        .forEach(
            (member, grant) -> {
              acquisition.tally.giveUp(member);
              send(member, new ZoneYield(acquisition.lock(), waiter(acquisition), grant));
            });
    long base = settings.answerNanos();
    long doubled = Math.min(2 * acquisition.patienceNanos, LONGEST_PATIENCE * base);
    acquisition.patienceNanos = base + entropy.nextLong(doubled);
    if (!settings.queues()) {
      acquisition.nextAskNanos = now().nanos() + acquisition.patienceNanos;
    }
  }

  private long untilStuckNanos(ZoneAcquisition acquisition) {
    if (!acquisition.isStuck) {
      return Long.MAX_VALUE;
    }
    // Where nobody can have enough there is nothing to wait for but the next yield of others.
    boolean isClear = acquisition.tally.isSplit(now());
    long bearsNanos = isClear ? acquisition.patienceNanos : 2 * acquisition.patienceNanos;
    return acquisition.stuckNanos + bearsNanos - now().nanos();
  }

  private void onReleaseCall(CallId<Boolean> call, ReleaseCall release) {
    ZoneAcquisition acquisition = byId.get(new RequestId(release.token(), overlay.self()));
    boolean isHeld = acquisition != null && acquisition.isHeld();
    if (acquisition != null && isHeld) {
      leave(acquisition);
    }
    complete(call, isHeld);
  }

  private void leave(ZoneAcquisition acquisition) {
    byId.remove(acquisition.id);
    cancelTimer(new ZoneDue(acquisition.id));
    ZoneRelease release = new ZoneRelease(acquisition.lock(), acquisition.id);
    acquisition.tally.members().forEach(acquisition.asked::add);
    acquisition.asked.stream().sorted().forEach(member -> send(member, release));
  }

  void cancelled(CallId<?> call) {
    ZoneAcquisition found = null;
    for (ZoneAcquisition one : byId.values()) {
      found = one.call.equals(call) && !one.isHeld() ? one : found;
    }
    if (found != null) {
      leave(found);
    }
  }

  private void onDue(ZoneDue due) {
    ZoneAcquisition acquisition = byId.get(due.id());
    if (acquisition == null) {
      return;
    }
    Term term = acquisition.term;
    if (term != null && term.isOver(now())) {
      leave(acquisition);
      tell(new LeaseLost(acquisition.lock(), acquisition.id.time()));
      return;
    }
    if (term == null && acquisition.callerNanos(now(), settings.answerNanos()) <= 0) {
      leave(acquisition);
      fail(acquisition.call, new NotAcquiredException(acquisition.lock()));
      return;
    }
    if (term == null && untilStuckNanos(acquisition) <= 0) {
      onStuck(acquisition);
    }
    boolean asks = term == null || keeps(acquisition);
    if (asks && acquisition.nextAskNanos - now().nanos() <= 0) {
      askAll(acquisition);
    }
    schedule(acquisition);
  }

  private boolean keeps(ZoneAcquisition acquisition) {
    return now().nanos() - acquisition.enteredNanos < acquisition.wish.keepNanos();
  }

  private void schedule(ZoneAcquisition acquisition) {
    Term term = acquisition.term;
    long dueNanos;
    if (term != null) {
      dueNanos = term.remainingNanos(now());
      if (keeps(acquisition)) {
        dueNanos = Math.min(dueNanos, acquisition.nextAskNanos - now().nanos());
      }
    } else {
      dueNanos = acquisition.callerNanos(now(), settings.answerNanos());
      dueNanos = Math.min(dueNanos, untilStuckNanos(acquisition));
      dueNanos = Math.min(dueNanos, acquisition.nextAskNanos - now().nanos());
    }
    setTimer(new ZoneDue(acquisition.id), Math.max(LEAST_DELAY_NANOS, dueNanos));
  }

  ImmutableMap<Integer, GrantId> grants(long token, Moment now) {
    ZoneAcquisition acquisition = byId.get(new RequestId(token, overlay.self()));
    return acquisition == null || !acquisition.isHeld()
        ? ImmutableMap.of()
        : acquisition.tally.grants(now);
  }
}
