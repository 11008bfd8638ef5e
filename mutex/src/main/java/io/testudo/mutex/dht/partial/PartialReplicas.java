package io.testudo.mutex.dht.partial;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.Vote;
import io.testudo.mutex.dht.vote.VoteBox;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node that is a logical replica of locks: it votes for the earliest of those whose
 * requests, or the parts of the queue that hops kept, have come here.
 */
final class PartialReplicas extends Part<NodeId> {
  /** Of more locks those go that nobody counts on. */
  private static final int MAX_BOXES = 100_000;

  private record VoteEnd(ReplicaName replica) implements TimerKey {}

  private final PartialSettings settings;
  private final LockTiming timing;
  private final long incarnation;
  private final Map<ReplicaName, VoteBox> boxes = new LinkedHashMap<>();
  private long lastState;

  PartialReplicas(Part<NodeId> node, PartialSettings settings, Entropy entropy) {
    super(node);
    this.settings = settings;
    this.timing = settings.timing();
    this.incarnation = entropy.nextLong();
    onMessage(VoteRequest.class, (from, renewal) -> onRenewal(renewal));
    onTimer(VoteEnd.class, due -> onVoteEnd(due.replica()));
  }

  private @Nullable VoteBox open(ReplicaName name) {
    VoteBox box = boxes.get(name);
    if (box == null) {
      if (boxes.size() >= MAX_BOXES) {
        boxes.values().removeIf(VoteBox::isIdle);
      }
      if (boxes.size() >= MAX_BOXES) {
        return null;
      }
      box = new VoteBox(timing, () -> new GrantId(incarnation, ++lastState));
      boxes.put(name, box);
    }
    if (box.expire(now())) {
      serveNext(name, box);
    }
    return box;
  }

  private void onVoteEnd(ReplicaName name) {
    VoteBox box = boxes.get(name);
    if (box != null) {
      if (box.expire(now())) {
        serveNext(name, box);
      }
      watch(name, box);
    }
  }

  private void watch(ReplicaName name, VoteBox box) {
    Vote vote = box.vote();
    if (vote != null) {
      setTimer(new VoteEnd(name), Math.max(0, vote.endNanos() - now().nanos()) + 1);
    }
  }

  private void serveNext(ReplicaName name, VoteBox box) {
    box.serveNext(now(), settings.expiryNanos()).ifPresent(waiter -> reply(name, box, waiter));
  }

  void onRequest(VoteRequest request) {
    WaitingRequest waiter = request.waiter();
    VoteBox box = open(request.replica());
    // A shortened lease would end before its client believes it does.
    if (box == null || box.hasLeft(waiter.id()) || waiter.leaseNanos() > timing.maxLeaseNanos()) {
      return;
    }
    box.request(waiter, now());
    reply(request.replica(), box, waiter);
    watch(request.replica(), box);
  }

  /** A holder's renewal that took no way: it gets no vote that it does not have. */
  private void onRenewal(VoteRequest renewal) {
    VoteBox box = boxes.get(renewal.replica());
    Vote vote = box == null ? null : box.vote();
    if (vote != null && vote.owner().equals(renewal.waiter().id())) {
      onRequest(renewal);
    }
  }

  private void reply(ReplicaName name, VoteBox box, WaitingRequest waiter) {
    send(waiter.id().client(), box.reply(name, waiter, Optional.empty()));
  }

  /** Takes a part of the queue over; nobody is there twice, and nobody who is done comes back. */
  private void merge(VoteBox box, List<WaitingRequest> collected) {
    Vote vote = box.vote();
    for (WaitingRequest waiter : collected) {
      boolean hasVote = vote != null && vote.owner().equals(waiter.id());
      if (!hasVote && !box.hasLeft(waiter.id()) && waiter.leaseNanos() <= timing.maxLeaseNanos()) {
        box.await(waiter, now());
      }
    }
  }

  void onRelease(PathRelease release) {
    VoteBox box = open(release.replica());
    if (box == null) {
      return;
    }
    box.leave(release.id());
    merge(box, release.collected());
    Vote vote = box.vote();
    if (vote != null && vote.owner().equals(release.id())) {
      box.clear();
    }
    if (box.vote() == null) {
      serveNext(release.replica(), box);
    }
    watch(release.replica(), box);
  }

  void onYield(PathYield yield) {
    VoteBox box = open(yield.replica());
    if (box == null) {
      return;
    }
    merge(box, yield.collected());
    WaitingRequest waiter = yield.waiter();
    boolean isOver = box.hasLeft(waiter.id());
    if (!isOver && box.has(waiter.id(), yield.grant())) {
      box.clear();
      box.await(waiter, now());
    }
    if (box.vote() == null) {
      serveNext(yield.replica(), box); // Those whom the yield brought, even if it comes too late.
    }
    Vote vote = box.vote();
    if (!isOver && (vote == null || !vote.owner().equals(waiter.id()))) {
      reply(yield.replica(), box, waiter);
    }
    watch(yield.replica(), box);
  }

  void onFlush(PathFlush flush) {
    VoteBox box = open(flush.replica());
    if (box != null) {
      merge(box, flush.waiting());
      if (box.vote() == null) {
        serveNext(flush.replica(), box);
      }
      watch(flush.replica(), box);
    }
  }

  /** Votes and requests that are kept. */
  int size() {
    return (int) boxes.values().stream().filter(box -> !box.isIdle()).count();
  }
}
