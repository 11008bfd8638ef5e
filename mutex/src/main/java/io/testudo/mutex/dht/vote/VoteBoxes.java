package io.testudo.mutex.dht.vote;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The votes of one node, for all locks; each ends with its lease, and the next in line gets it. */
public final class VoteBoxes extends Part<NodeId> {
  /** Of more locks those go that nobody counts on. */
  private static final int MAX_BOXES = 100_000;

  private static final long SWEEP_NANOS = 100_000_000L;

  private record VoteEnd(ReplicaName replica) implements TimerKey {}

  /** Tells a request what became of it. */
  public interface Answers {
    void answer(ReplicaName name, VoteBox box, WaitingRequest waiter);

    /** A vote is over with its lease, before the next in line gets it. */
    default void expired(ReplicaName name) {}

    /** Whether this node is still that replica: else those who wait get no vote of it here. */
    default boolean isHere(ReplicaName name) {
      return true;
    }
  }

  private final LockTiming timing;
  private final long expiryNanos;
  private final Answers answers;
  private final BoxRoom room;
  private final Map<ReplicaName, VoteBox> boxes = new LinkedHashMap<>();
  private boolean hasSwept;
  private long sweptNanos;

  /**
   * None yet.
   *
   * @param expiryNanos after so long without a sign one who waits gets no vote
   */
  public VoteBoxes(
      Part<NodeId> node, LockTiming timing, long expiryNanos, Entropy entropy, Answers answers) {
    super(node);
    this.timing = timing;
    this.expiryNanos = expiryNanos;
    this.answers = answers;
    this.room = new BoxRoom(entropy.nextLong()); // It knows nothing of what it said before.
    onTimer(VoteEnd.class, due -> onVoteEnd(due.replica()));
  }

  /** The box of a lock, without a vote that is over; null if there are too many. */
  public @Nullable VoteBox open(ReplicaName name) {
    VoteBox box = boxes.get(name);
    if (box == null) {
      if (boxes.size() >= MAX_BOXES) {
        sweep();
      }
      if (boxes.size() >= MAX_BOXES) {
        return null;
      }
      box = new VoteBox(name, timing, room);
      boxes.put(name, box);
    }
    expire(name, box);
    return box;
  }

  /** Not with each message: to look at all of them takes long. */
  private void sweep() {
    if (!hasSwept || now().nanos() - sweptNanos >= SWEEP_NANOS) {
      hasSwept = true;
      sweptNanos = now().nanos();
      boxes.values().removeIf(VoteBox::isIdle);
    }
  }

  /** The box of a lock, if there is one. */
  public @Nullable VoteBox get(ReplicaName name) {
    return boxes.get(name);
  }

  private void onVoteEnd(ReplicaName name) {
    VoteBox box = boxes.get(name);
    if (box != null) {
      expire(name, box);
      watch(name, box);
    }
  }

  private void expire(ReplicaName name, VoteBox box) {
    if (box.expire(now())) {
      answers.expired(name);
      serveNext(name, box);
    }
  }

  /** To be called after each change: the vote ends with its lease. */
  public void watch(ReplicaName name, VoteBox box) {
    Vote vote = box.vote();
    if (vote != null) {
      setTimer(new VoteEnd(name), Math.max(0, vote.endNanos() - now().nanos()) + 1);
    }
  }

  /** Gives a vote that is free to the next in line. Who waits for one elsewhere asks again. */
  public void serveNext(ReplicaName name, VoteBox box) {
    if (!box.isIdle() && !answers.isHere(name)) {
      box.drain();
    }
    box.serveNext(now(), expiryNanos).ifPresent(waiter -> answers.answer(name, box, waiter));
  }

  /** Takes a part of a queue over; nobody is there twice, and nobody who is done comes back. */
  public void merge(VoteBox box, List<WaitingRequest> collected) {
    Vote vote = box.vote();
    for (WaitingRequest waiter : collected) {
      boolean hasVote = vote != null && vote.owner().equals(waiter.id());
      if (!hasVote && !box.hasLeft(waiter.id()) && waiter.leaseNanos() <= timing.maxLeaseNanos()) {
        box.await(waiter, now());
      }
    }
  }

  /** A request is over: a vote that it has is free, and goes to the next in line. */
  public void release(ReplicaName name, VoteBox box, RequestId id) {
    box.leave(id);
    Vote vote = box.vote();
    if (vote != null && vote.owner().equals(id)) {
      box.clear();
    }
    if (box.vote() == null) {
      serveNext(name, box);
    }
    watch(name, box);
  }

  /** Votes and requests that are kept. */
  public int size() {
    return (int) boxes.values().stream().filter(box -> !box.isIdle()).count();
  }
}
