package io.testudo.ordering.server;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.PrefixChanges;
import io.testudo.ordering.message.WatchPrefix;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.Shares;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The part of the server machine that tells clients which objects under a prefix have changed. The
 * last changes are numbered, each object once, for all clients together; a client says up to where
 * it was told, and is told of the rest once there is some. So a client costs a row, however much
 * changes, and is sent no more than it asks for. All of it is in memory and may be forgotten:
 * clients ask again, and list now and then.
 */
final class PrefixWatchers extends Part<ClientId> {
  /** As many may wait, and are looked at for each commit; of one principal alone half of them. */
  static final int MAX_WATCHERS = 1_024;

  /** Of as many objects it is known when they changed. */
  static final int MAX_CHANGES = 4_096;

  /** Time to forget some. */
  private record PrefixSweep() implements TimerKey {}

  private record Watched(ClientId client, String prefix) {}

  private final ServedObjects objects;
  private final ServerMemory memory;
  private final Shares rows = new Shares(MAX_WATCHERS);

  /** Those who wait, and since when. */
  private final Map<Watched, Long> waiting = new LinkedHashMap<>();

  private final NavigableMap<Long, String> byNumber = new TreeMap<>();
  private final Map<String, Long> byName = new HashMap<>();

  /** Of the last change. Begins with the clock, so that numbers of an earlier life are behind. */
  private long number;

  /** What is not behind this is forgotten. */
  private long forgotten;

  PrefixWatchers(Part<ClientId> server, ServedObjects objects, ServerMemory memory) {
    super(server);
    this.objects = objects;
    this.memory = memory;
    onMessage(WatchPrefix.class, this::onWatch);
    onTimer(PrefixSweep.class, sweep -> onSweep());
  }

  private void begin() {
    if (number == 0) {
      number = TimeUnit.MILLISECONDS.toMicros(Math.max(1, now().wallMillis()));
      forgotten = number;
    }
  }

  private void onWatch(ClientId from, WatchPrefix watch) {
    begin();
    Watched watched = new Watched(from, watch.prefix());
    forget(watched);
    if (watch.after() < forgotten || watch.after() > number) {
      send(from, new PrefixChanges(watch.prefix(), number, true, List.of()));
      return;
    }
    if (watch.after() < number && !memory.allows(from, 0)) {
      return; // Many changes may have to be looked through, and many of them told.
    }
    if (tell(watched, watch.after()) || !rows.take(from.principal(), 1)) {
      return; // Whoever has no row looks by itself.
    }
    if (waiting.isEmpty()) {
      setTimer(new PrefixSweep(), Watchers.EXPIRY_NANOS);
    }
    waiting.put(watched, now().nanos());
  }

  /** A version was committed. */
  void committed(ServedObject object) {
    begin();
    Long before = byName.put(object.name, ++number);
    if (before != null) {
      byNumber.remove(before);
    }
    byNumber.put(number, object.name);
    if (byNumber.size() > MAX_CHANGES) {
      Map.Entry<Long, String> oldest = Objects.requireNonNull(byNumber.pollFirstEntry());
      byName.remove(oldest.getValue());
      forgotten = oldest.getKey();
    }
    // Whoever waits has been told of all others.
    List<Watched> told =
        waiting.keySet().stream().filter(it -> object.name.startsWith(it.prefix())).toList();
    for (Watched watched : told) {
      forget(watched);
      send(
          watched.client(),
          new PrefixChanges(watched.prefix(), number, false, List.of(object.listedCommit())));
    }
  }

  /** False if there is nothing to tell. */
  private boolean tell(Watched watched, long after) {
    List<ObjectList.Item> items = new ArrayList<>();
    long upTo = number;
    long lookedAt = 0;
    for (Map.Entry<Long, String> change : byNumber.tailMap(after, false).entrySet()) {
      lookedAt++;
      ServedObject object =
          change.getValue().startsWith(watched.prefix()) ? objects.get(change.getValue()) : null;
      if (object == null) {
        continue;
      }
      if (items.size() == ObjectList.MAX_OBJECTS) {
        upTo = change.getKey() - 1; // The rest is told when it is asked for.
        break;
      }
      items.add(object.listedCommit());
    }
    boolean unused = memory.allows(watched.client(), Entry.ROW_BYTES * (lookedAt + items.size()));
    if (items.isEmpty()) {
      return false;
    }
    send(watched.client(), new PrefixChanges(watched.prefix(), upTo, false, items));
    return true;
  }

  private void onSweep() {
    List<Watched> old = new ArrayList<>();
    waiting.forEach(
        (watched, sinceNanos) -> {
          if (now().nanos() - sinceNanos >= Watchers.EXPIRY_NANOS) {
            old.add(watched);
          }
        });
    old.forEach(this::forget);
    if (!waiting.isEmpty()) {
      setTimer(new PrefixSweep(), Watchers.EXPIRY_NANOS);
    }
  }

  private void forget(Watched watched) {
    if (waiting.remove(watched) != null) {
      rows.giveBack(watched.client().principal(), 1);
    }
  }

  /** What is kept here; about. */
  long memoryBytes() {
    return waiting.keySet().stream().mapToLong(it -> 300L + it.prefix().length()).sum()
        + byName.keySet().stream().mapToLong(it -> 200L + it.length()).sum();
  }
}
