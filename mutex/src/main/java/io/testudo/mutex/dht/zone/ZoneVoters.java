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
  private record Settled() implements TimerKey {}

  private final Overlay overlay;
  private final ZoneSettings settings;
  private final VoteBoxes boxes;

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
    onMessage(ZoneRequest.class, (from, request) -> onRequest(request));
    onMessage(ZoneYield.class, this::onYield);
    onMessage(ZoneRelease.class, this::onRelease);
    onTimer(Settled.class, due -> onSettled());
  }

  /** The neighbours have changed, or the node starts. */
  void neighboursChanged() {
    Neighbours neighbours = overlay.neighbours();
    if (neighbours == null) {
      zone = null;
      voting = null;
      return;
    }
    long end = overlay.self().bits();
    Zone present = new Zone(neighbours.below().bits() + 1, end);
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
    } else {
      setTimer(new Settled(), settings.settleNanos());
    }
  }

  private void onSettled() {
    long leftNanos = settledNanos - now().nanos();
    if (leftNanos > 0) {
      setTimer(new Settled(), leftNanos);
    } else {
      voting = zone;
    }
  }

  void onRequest(ZoneRequest request) {
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
    Neighbours neighbours = overlay.neighbours();
    Zone part = voting;
    if (neighbours == null || part == null) {
      return null;
    }
    MemberCertificates certificates = settings.certificates();
    MemberCertificate own = certificates.of(overlay.self());
    MemberCertificate below = certificates.of(neighbours.below());
    MemberCertificate above = certificates.of(neighbours.above());
    return own == null || below == null || above == null
        ? null
        : new ZoneClaim(own, below, above, part, version);
  }

  /** Votes and requests that are kept. */
  int size() {
    return boxes.size();
  }
}
