package io.testudo.mutex.dht.e2e;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The part of a node that is a hop on the way to replicas: it knows who holds locks whose messages
 * passed by, for some time, and sends requests there.
 */
final class E2eHops extends Part<NodeId> {
  /** More locks than that pass unnoticed. */
  private static final int MAX_ENTRIES = 100_000;

  private record Sweep() implements TimerKey {}

  private static final class Entry {
    Token token;
    NodeId holder;
    long untilNanos;
    final Map<Integer, NodeId> next = new HashMap<>();

    Entry(Token token, NodeId holder) {
      this.token = token;
      this.holder = holder;
    }
  }

  private final Overlay overlay;
  private final E2eSettings settings;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private boolean sweeps;

  E2eHops(Part<NodeId> node, Overlay overlay, E2eSettings settings) {
    super(node);
    this.overlay = overlay;
    this.settings = settings;
    onTimer(Sweep.class, due -> sweep());
  }

  /** A request passes: whether it goes on. */
  boolean requestPasses(VoteRequest request) {
    Entry entry = entries.get(request.replica().lock());
    if (!request.isFirst()
        || entry == null
        || entry.untilNanos - now().nanos() <= 0
        || entry.holder.equals(request.waiter().id().client())) {
      return true;
    }
    send(entry.holder, new Enqueue(request.replica().lock(), request.waiter(), 0));
    return false;
  }

  /** A holder makes itself known on its way to a replica. */
  void winnerPasses(IAmWinner winner, NodeId next) {
    String lock = winner.replica().lock();
    Entry entry = entries.get(lock);
    if (entry == null) {
      if (entries.size() >= MAX_ENTRIES) {
        return;
      }
      entry = new Entry(winner.token(), winner.holder().id().client());
      entries.put(lock, entry);
    }
    boolean isOlder =
        entry.token.winner().equals(winner.token().winner())
            && winner.token().seq() < entry.token.seq();
    if (!isOlder) {
      entry.token = winner.token();
      entry.holder = winner.holder().id().client();
      entry.untilNanos = now().nanos() + settings.entryNanos();
      entry.next.put(winner.replica().index(), next);
    }
    if (!sweeps) {
      sweeps = true;
      setTimer(new Sweep(), settings.entryNanos());
    }
  }

  /** The last holder releases: its entry goes, and the message follows it. */
  boolean releasePasses(TokenRelease release, NodeId next) {
    Entry entry = entries.get(release.replica().lock());
    if (entry == null || !isOver(entry, release)) {
      return true; // Of another.
    }
    NodeId noted = entry.next.remove(release.replica().index());
    if (entry.next.isEmpty()) {
      entries.remove(release.replica().lock());
    }
    if (noted == null || noted.equals(next)) {
      return true;
    }
    overlay.routeVia(noted, release.replica().key(), release);
    return false;
  }

  private static boolean isOver(Entry entry, TokenRelease release) {
    long seq = release.token().seq();
    boolean isOwn = entry.token.seq() == seq && entry.holder.equals(release.by().client());
    return entry.token.winner().equals(release.token().winner())
        && (entry.token.seq() < seq || isOwn);
  }

  private void sweep() {
    entries.values().removeIf(entry -> entry.untilNanos - now().nanos() <= 0);
    sweeps = !entries.isEmpty();
    if (sweeps) {
      setTimer(new Sweep(), settings.entryNanos());
    }
  }

  int size() {
    return entries.size();
  }
}
