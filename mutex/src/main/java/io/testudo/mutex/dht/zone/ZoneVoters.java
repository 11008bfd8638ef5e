package io.testudo.mutex.dht.zone;

import io.testudo.mutex.dht.overlay.Neighbours;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.Vote;
import io.testudo.mutex.dht.vote.VoteBox;
import io.testudo.mutex.dht.vote.VoteBoxes;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a member that votes. Its zone changes with its neighbours. Space that it gets may
 * have a vote of another on it, or of its own former life: it votes with that only when such a vote
 * is over.
 */
final class ZoneVoters extends Part<NodeId> {
  /** How often it looks whether its neighbours have shown who they are. */
  private static final long LOOK_NANOS = 250_000_000L;

  private record Settled() implements TimerKey {}

  private record Awaited() implements TimerKey {}

  private final Overlay overlay;
  private final ZoneSettings settings;
  private final VoteBoxes boxes;

  /** Between whom it is. */
  private @Nullable Neighbours neighbours;

  /** The zone as it is, and the part of it that this member may vote with. */
  private @Nullable Zone zone;

  private @Nullable Zone voting;
  private long settledNanos;
  private long version;

  ZoneVoters(Part<NodeId> node, Overlay overlay, ZoneSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    this.boxes =
        new VoteBoxes(this, settings.timing(), settings.expiryNanos(), entropy, this::reply);
    onMessage(ZoneRequest.class, this::onRequest);
    onMessage(ZoneYield.class, this::onYield);
    onMessage(ZoneRelease.class, this::onRelease);
    onTimer(Settled.class, due -> onSettled());
    onTimer(Awaited.class, due -> neighboursChanged());
  }

  /** The neighbours have changed, or the node starts. */
  void neighboursChanged() {
    Neighbours between = certified(overlay.neighbours());
    neighbours = between;
    if (between == null) {
      zone = null;
      voting = null;
      return;
    }
    long end = overlay.self().bits();
    Zone present = new Zone(between.below().bits() + 1, end);
    if (present.equals(zone)) {
      return;
    }
    zone = present;
    version++;
    // Both end at the own place, so the shorter one is what they share.
    Zone before = voting;
    boolean isSmaller = before != null && present.share() <= before.share();
    if (isSmaller) {
      voting = present;
      return;
    }
    settledNanos = now().nanos() + settings.settleNanos();
    if (settings.settleNanos() == 0) {
      voting = present;
      return;
    }
    if (before == null && settings.certificates().areProofs()) {
      voting = new Zone(end, end); // Who says nothing is not there, and others may claim its space.
    }
    setTimer(new Settled(), settings.settleNanos());
  }

  /**
   * The nearest on either side that have shown certificates. Others are hearsay: of liars that
   * would keep a member from voting, or of one that comes, which has no vote before it was heard
   * here.
   */
  private @Nullable Neighbours certified(@Nullable Neighbours nearest) {
    if (nearest == null || (hasShown(nearest.below()) && hasShown(nearest.above()))) {
      return nearest;
    }
    setTimer(new Awaited(), LOOK_NANOS);
    long self = overlay.self().bits();
    NodeId below = null;
    NodeId above = null;
    for (NodeId node : overlay.known()) {
      if (!node.equals(overlay.self()) && hasShown(node)) {
        below = below == null || isNearer(self - node.bits(), self - below.bits()) ? node : below;
        above = above == null || isNearer(node.bits() - self, above.bits() - self) ? node : above;
      }
    }
    return below == null || above == null ? null : new Neighbours(below, above);
  }

  private boolean hasShown(NodeId member) {
    return settings.certificates().of(member, now()) != null;
  }

  private static boolean isNearer(long distance, long other) {
    return Long.compareUnsigned(distance, other) < 0;
  }

  private void onSettled() {
    long leftNanos = settledNanos - now().nanos();
    if (leftNanos > 0) {
      setTimer(new Settled(), leftNanos);
    } else {
      voting = zone;
    }
  }

  /** Over the overlay anybody could ask in the name of another. */
  void onRouted(ZoneRequest request) {
    if (!settings.certificates().areProofs()) {
      vote(request);
    }
  }

  private void onRequest(NodeId from, ZoneRequest request) {
    if (!settings.certificates().areProofs()) {
      vote(request);
    } else if (request.waiter().id().client().equals(from)) {
      neighboursChanged(); // Some may have shown a certificate since.
      vote(request);
    }
  }

  private void vote(ZoneRequest request) {
    WaitingRequest waiter = request.waiter();
    ReplicaName name = new ReplicaName(request.lock(), 0);
    VoteBox box = voting == null ? null : boxes.open(name);
    // A shortened lease would end before its client believes it does.
    if (box == null || box.hasLeft(waiter.id()) || waiter.leaseNanos() > settings.maxLeaseNanos()) {
      return;
    }
    Vote vote = box.vote();
    if (settings.queues() || vote == null || vote.owner().equals(waiter.id())) {
      box.request(waiter, now());
    }
    reply(name, box, waiter);
    boxes.watch(name, box);
  }

  private void onYield(NodeId from, ZoneYield yield) {
    WaitingRequest waiter = yield.waiter();
    ReplicaName name = new ReplicaName(yield.lock(), 0);
    VoteBox box = boxes.open(name);
    if (box == null || !waiter.id().client().equals(from) || box.hasLeft(waiter.id())) {
      return;
    }
    if (box.has(waiter.id(), yield.grant())) {
      box.clear();
      if (settings.queues()) {
        box.await(waiter, now());
        boxes.serveNext(name, box);
      }
    }
    Vote vote = box.vote();
    if (vote == null || !vote.owner().equals(waiter.id())) {
      reply(name, box, waiter);
    }
    boxes.watch(name, box);
  }

  private void onRelease(NodeId from, ZoneRelease release) {
    ReplicaName name = new ReplicaName(release.lock(), 0);
    VoteBox box = boxes.open(name);
    if (box != null && release.id().client().equals(from)) {
      boxes.release(name, box, release.id());
    }
  }

  private void reply(ReplicaName name, VoteBox box, WaitingRequest waiter) {
    ZoneClaim claim = claim();
    if (claim != null) {
      send(
          waiter.id().client(),
          new ZoneVote(box.reply(name, waiter, Optional.empty()), claim, overlay.known()));
    }
  }

  private @Nullable ZoneClaim claim() {
    Neighbours between = neighbours;
    Zone part = voting;
    if (between == null || part == null) {
      return null;
    }
    MemberCertificates certificates = settings.certificates();
    MemberCertificate own = certificates.of(overlay.self(), now());
    MemberCertificate below = certificates.of(between.below(), now());
    MemberCertificate above = certificates.of(between.above(), now());
    return own == null || below == null || above == null
        ? null
        : new ZoneClaim(own, below, above, part, version);
  }

  /** Votes and requests that are kept. */
  int size() {
    return boxes.size();
  }
}
