package io.testudo.mutex.dht.partial;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.Vote;
import io.testudo.mutex.dht.vote.VoteBox;
import io.testudo.mutex.dht.vote.VoteBoxes;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.Optional;

/**
 * The part of a node that is a logical replica of locks: it votes for the earliest of those whose
 * requests, or the parts of the queue that hops kept, have come here.
 */
final class PartialReplicas extends Part<NodeId> {
  private final class Answers implements VoteBoxes.Answers {
    @Override
    public void answer(ReplicaName name, VoteBox box, WaitingRequest waiter) {
      reply(name, box, waiter);
    }

    @Override
    public boolean isHere(ReplicaName name) {
      return overlay.owns(name.key());
    }
  }

  private final Overlay overlay;
  private final LockTiming timing;
  private final VoteBoxes boxes;

  PartialReplicas(Part<NodeId> node, Overlay overlay, PartialSettings settings, Entropy entropy) {
    super(node);
    this.overlay = overlay;
    this.timing = settings.timing();
    this.boxes = new VoteBoxes(this, timing, settings.expiryNanos(), entropy, new Answers());
    onMessage(VoteRequest.class, (from, renewal) -> onRenewal(renewal));
  }

  void onRequest(VoteRequest request) {
    WaitingRequest waiter = request.waiter();
    VoteBox box = boxes.open(request.replica());
    // A shortened lease would end before its client believes it does.
    if (box == null || waiter.leaseNanos() > timing.maxLeaseNanos()) {
      return;
    }
    if (!box.hasLeft(waiter.id())) {
      box.request(waiter, now());
    } // Else its client hears of it all the same: hops have noted it, and none forgets it again.
    reply(request.replica(), box, waiter);
    boxes.watch(request.replica(), box);
  }

  /**
   * A holder's renewal that took no way: it gets no vote that it does not have, and keeps none that
   * is another's to give by now.
   */
  private void onRenewal(VoteRequest renewal) {
    VoteBox box = boxes.get(renewal.replica());
    Vote vote = box == null ? null : box.vote();
    boolean isIts = vote != null && vote.owner().equals(renewal.waiter().id());
    if (isIts && overlay.owns(renewal.replica().key())) {
      onRequest(renewal);
    }
  }

  private void reply(ReplicaName name, VoteBox box, WaitingRequest waiter) {
    send(waiter.id().client(), box.reply(name, waiter, Optional.empty()));
  }

  void onRelease(PathRelease release) {
    VoteBox box = boxes.open(release.replica());
    if (box != null) {
      boxes.merge(box, release.collected());
      boxes.release(release.replica(), box, release.id());
    }
  }

  void onYield(PathYield yield) {
    VoteBox box = boxes.open(yield.replica());
    if (box == null) {
      return;
    }
    boxes.merge(box, yield.collected());
    WaitingRequest waiter = yield.waiter();
    boolean isOver = box.hasLeft(waiter.id());
    if (!isOver && box.has(waiter.id(), yield.grant())) {
      box.clear();
      box.await(waiter, now());
    }
    if (box.vote() == null) {
      // Those whom the yield brought, even if it comes too late.
      boxes.serveNext(yield.replica(), box);
    }
    Vote vote = box.vote();
    if (!isOver && (vote == null || !vote.owner().equals(waiter.id()))) {
      reply(yield.replica(), box, waiter);
    }
    boxes.watch(yield.replica(), box);
  }

  void onFlush(PathFlush flush) {
    VoteBox box = boxes.open(flush.replica());
    if (box != null) {
      boxes.merge(box, flush.waiting());
      if (box.vote() == null) {
        boxes.serveNext(flush.replica(), box);
      }
      boxes.watch(flush.replica(), box);
    }
  }

  /** Votes and requests that are kept. */
  int size() {
    return boxes.size();
  }
}
