package io.testudo.mutex.dht.partial;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node that is a hop: for each replica of which a request passed, who that was, where
 * it went, and who waits here behind it.
 */
final class PartialQueues extends Part<NodeId> {
  /** Requests of more replicas pass unnoticed. */
  private static final int MAX_ENTRIES = 100_000;

  /** Beyond so many, behind one or behind all, the next go on to the replica. */
  private static final int MAX_WAITING = 4_096;

  private static final int MAX_WAITING_IN_ALL = 262_144;

  /** As many as a replica has room for; the latest of more ask again. */
  private static final int MAX_COLLECTED = 8_192;

  private record EntryEnd(ReplicaName replica) implements TimerKey {}

  private static final class Entry {
    final RequestId maker;
    final Ways ways = new Ways();
    long untilNanos;

    /** The newest yield that went from here. */
    long lastYield;

    final TreeMap<RequestId, WaitingRequest> waiting = new TreeMap<>();

    Entry(RequestId maker) {
      this.maker = maker;
    }
  }

  private final Overlay overlay;
  private final PartialSettings settings;
  private final Map<ReplicaName, Entry> entries = new LinkedHashMap<>();
  private int waitingInAll;

  PartialQueues(Part<NodeId> node, Overlay overlay, PartialSettings settings) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    onTimer(EntryEnd.class, due -> onEntryEnd(due.replica()));
  }

  /** A request passes: whether it goes on. */
  boolean requestPasses(VoteRequest request, NodeId next) {
    ReplicaName replica = request.replica();
    WaitingRequest waiter = request.waiter();
    if (waiter.leaseNanos() > settings.timing().maxLeaseNanos()) {
      return true; // No replica grants it: there is nothing to wait behind.
    }
    Entry entry = entries.get(replica);
    if (entry != null && !entry.maker.equals(waiter.id())) {
      // Behind a later one it might wait for ever: that one yields nothing while it has no vote
      // itself, and those who have some see no earlier request at their replicas to yield to.
      boolean isEarlier = waiter.id().compareTo(entry.maker) < 0;
      boolean isFull = entry.waiting.size() >= MAX_WAITING || waitingInAll >= MAX_WAITING_IN_ALL;
      if (isEarlier || isFull) {
        stopWaiting(entry, waiter.id());
        return true;
      }
      waitingInAll += entry.waiting.containsKey(waiter.id()) ? 0 : 1;
      entry.waiting.merge(waiter.id(), waiter, WaitingRequest::newer);
      send(waiter.id().client(), new HeldBack(replica, waiter.id(), entry.maker));
      return false;
    }
    if (entry == null) {
      if (entries.size() >= MAX_ENTRIES) {
        return true;
      }
      entry = new Entry(waiter.id());
      entries.put(replica, entry);
    }
    entry.ways.add(next);
    long lastsNanos = settings.entryNanos(waiter.leaseNanos());
    entry.untilNanos = now().nanos() + lastsNanos;
    setTimer(new EntryEnd(replica), lastsNanos);
    return true;
  }

  /** A request that passed here went another way, too. */
  void tookWay(VoteRequest request, NodeId next) {
    Entry entry = entries.get(request.replica());
    if (entry != null && entry.maker.equals(request.waiter().id())) {
      entry.ways.add(next);
    }
  }

  /** A release passes: it takes along who waited behind it here, and follows its own ways. */
  boolean releasePasses(PathRelease release) {
    Entry entry = entryOf(release.replica(), release.id());
    if (entry == null) {
      return true;
    }
    remove(release.replica(), entry);
    cancelTimer(new EntryEnd(release.replica()));
    ImmutableList<WaitingRequest> all = merged(release.collected(), entry.waiting.values());
    entry.ways.route(
        overlay,
        release.replica().key(),
        new PathRelease(release.replica(), release.id(), all),
        new PathRelease(release.replica(), release.id(), ImmutableList.of()));
    return false;
  }

  /**
   * A yield passes: it takes along who waited here, and its entry stays. Its copies come back where
   * ways form a circle, and would multiply there without end if they took them again: they go on as
   * any message does, whose hops are counted.
   */
  boolean yieldPasses(PathYield yield) {
    Entry entry = entryOf(yield.replica(), yield.waiter().id());
    if (entry == null || yield.waiter().attempt() <= entry.lastYield) {
      return true;
    }
    entry.lastYield = yield.waiter().attempt();
    ImmutableList<WaitingRequest> all = merged(yield.collected(), entry.waiting.values());
    waitingInAll -= entry.waiting.size();
    entry.waiting.clear();
    entry.ways.route(
        overlay,
        yield.replica().key(),
        new PathYield(yield.replica(), yield.waiter(), yield.grant(), all),
        new PathYield(yield.replica(), yield.waiter(), yield.grant(), ImmutableList.of()));
    return false;
  }

  private void remove(ReplicaName replica, Entry entry) {
    entries.remove(replica);
    waitingInAll -= entry.waiting.size();
  }

  private void stopWaiting(Entry entry, RequestId id) {
    waitingInAll -= entry.waiting.remove(id) == null ? 0 : 1;
  }

  /** The entry of this request; in that of another it waits no more. */
  private @Nullable Entry entryOf(ReplicaName replica, RequestId id) {
    Entry entry = entries.get(replica);
    if (entry != null && !entry.maker.equals(id)) {
      stopWaiting(entry, id);
      return null;
    }
    return entry;
  }

  private static ImmutableList<WaitingRequest> merged(
      Collection<WaitingRequest> collected, Collection<WaitingRequest> waiting) {
    TreeMap<RequestId, WaitingRequest> all = new TreeMap<>();
    collected.forEach(waiter -> all.merge(waiter.id(), waiter, WaitingRequest::newer));
    waiting.forEach(waiter -> all.merge(waiter.id(), waiter, WaitingRequest::newer));
    return all.values().stream().limit(MAX_COLLECTED).collect(ImmutableList.toImmutableList());
  }

  /** Nobody has renewed it: whoever made it is gone, and those behind it must not wait for it. */
  private void onEntryEnd(ReplicaName replica) {
    Entry entry = entries.get(replica);
    if (entry == null || entry.untilNanos - now().nanos() > 0) {
      return;
    }
    remove(replica, entry);
    if (!entry.waiting.isEmpty()) {
      overlay.route(
          replica.key(), new PathFlush(replica, ImmutableList.copyOf(entry.waiting.values())));
    }
  }

  int size() {
    return entries.size();
  }
}
