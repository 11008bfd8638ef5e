package io.testudo.mutex.dht.vote;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one replica of one lock knows: its vote, and requests that wait for it, the earliest first.
 * Sigma's server without its fences: a vote ends by its lease, by its owner's release, or when the
 * owner yields exactly this one.
 */
public final class VoteBox {
  /** Beyond so many the next have to ask again. */
  private static final int MAX_WAITING = 8_192;

  private record Queued(WaitingRequest waiter, long heardNanos) {}

  private final ReplicaName name;
  private final LockTiming timing;
  private final BoxRoom room;
  private final TreeMap<RequestId, Queued> queue = new TreeMap<>();
  private @Nullable Vote vote;
  private GrantId state;

  VoteBox(ReplicaName name, LockTiming timing, BoxRoom room) {
    this.name = name;
    this.timing = timing;
    this.room = room;
    this.state = room.nextState();
  }

  public @Nullable Vote vote() {
    return vote;
  }

  /** Names the present state of the vote. */
  public GrantId state() {
    return state;
  }

  /** Whether that request is over: what comes of it comes too late. */
  public boolean hasLeft(RequestId id) {
    return room.hasLeft(name, id);
  }

  /** Whether there is nothing here that anybody counts on. */
  public boolean isIdle() {
    return vote == null && queue.isEmpty();
  }

  /** Ends a vote whose lease is over, and says whether it did. */
  public boolean expire(Moment now) {
    if (vote == null || vote.endNanos() - now.nanos() >= 0) {
      return false;
    }
    clear();
    return true;
  }

  /** A request: it gets the vote if that is free, keeps it if it has it, else waits. */
  public void request(WaitingRequest waiter, Moment now) {
    Vote present = vote;
    if (present == null) {
      give(waiter, 0, now);
    } else if (present.owner().equals(waiter.id())) {
      prolong(waiter, now);
    } else {
      await(waiter, now);
    }
  }

  /** Lets a request wait. */
  public void await(WaitingRequest waiter, Moment now) {
    Queued known = queue.get(waiter.id());
    boolean isNews = known == null || known.waiter().attempt() < waiter.attempt();
    boolean hasRoom = queue.size() < MAX_WAITING && !room.isFull();
    if (isNews && (known != null || hasRoom)) {
      room.changed(known == null ? 1 : 0);
      queue.put(waiter.id(), new Queued(waiter, now.nanos()));
    }
  }

  /** Gives a vote that is free. */
  public void give(WaitingRequest waiter, long waitedNanos, Moment now) {
    stopWaiting(waiter.id());
    state = room.nextState();
    vote = new Vote(waiter.id(), state, end(waiter, now), waiter.attempt(), waitedNanos);
  }

  /** The owner's newer message prolongs its vote; one that is repeated does not. */
  public void prolong(WaitingRequest waiter, Moment now) {
    Vote present = vote;
    if (present != null && waiter.attempt() > present.leased()) {
      long endNanos = Math.max(present.endNanos(), end(waiter, now));
      vote = new Vote(present.owner(), present.grant(), endNanos, waiter.attempt(), 0);
    }
  }

  /** The owner hands its vote to another name; the lease is counted anew. */
  public void reassign(WaitingRequest waiter, Moment now) {
    Vote present = vote;
    if (present != null) {
      long endNanos = Math.max(present.endNanos(), end(waiter, now));
      vote = new Vote(present.owner(), present.grant(), endNanos, waiter.attempt(), 0);
    }
  }

  private long end(WaitingRequest waiter, Moment now) {
    return now.nanos() + timing.serverLeaseNanos(waiter.leaseNanos());
  }

  /** Whether this very vote is there. */
  public boolean has(RequestId owner, GrantId grant) {
    return vote != null && vote.owner().equals(owner) && vote.grant().equals(grant);
  }

  /** The vote is free. */
  public void clear() {
    vote = null;
    state = room.nextState();
  }

  /** A request is over, and waits no more. Its vote is for the caller to see to. */
  public void leave(RequestId id) {
    room.leave(name, id);
    stopWaiting(id);
  }

  private void stopWaiting(RequestId id) {
    room.changed(queue.remove(id) == null ? 0 : -1);
  }

  /** Gives a free vote to the earliest that was heard of lately; the others before it are gone. */
  public Optional<WaitingRequest> serveNext(Moment now, long expiryNanos) {
    while (vote == null && !queue.isEmpty()) {
      Queued first = queue.firstEntry().getValue();
      stopWaiting(first.waiter().id());
      long agedNanos = now.nanos() - first.heardNanos();
      if (agedNanos <= expiryNanos && !hasLeft(first.waiter().id())) {
        give(first.waiter(), agedNanos, now);
        return Optional.of(first.waiter());
      }
    }
    return Optional.empty();
  }

  /** All that wait, the earliest first. */
  public List<WaitingRequest> waiting() {
    List<WaitingRequest> all = new ArrayList<>(queue.size());
    queue.values().forEach(queued -> all.add(queued.waiter()));
    return all;
  }

  /** Takes all out that wait. */
  public List<WaitingRequest> drain() {
    List<WaitingRequest> all = waiting();
    room.changed(-queue.size());
    queue.clear();
    return all;
  }

  /**
   * What this replica answers a request.
   *
   * @param holder where the lock is held by the present vote, if that is known
   */
  public VoteReply reply(ReplicaName name, WaitingRequest to, Optional<NodeId> holder) {
    Vote present = vote;
    boolean isIts = present != null && present.owner().equals(to.id());
    return new VoteReply(
        name,
        to.id(),
        Optional.ofNullable(present).map(Vote::owner),
        holder,
        state,
        to.attempt(),
        present != null && isIts ? present.leased() : 0,
        present != null && isIts ? present.waitedNanos() : 0);
  }
}
