package io.testudo.ordering.server;

import io.testudo.ordering.message.Changed;
import io.testudo.ordering.message.WatchObject;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.Shares;
import io.testudo.quorum.protocol.TimerKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of the server machine that tells clients once that an object has changed. All of it is
 * in memory and may be forgotten: clients ask again, and look now and then by themselves.
 */
final class Watchers extends Part<ClientId> {
  /** As many may wait for one object; all are told in one step. */
  static final int MAX_OF_AN_OBJECT = 1_024;

  /** What all who wait may take; of one principal alone half of it. */
  static final long MAX_BYTES = 16 << 20;

  /** After this long a client that did not ask again is forgotten. */
  static final long EXPIRY_NANOS = 30_000_000_000L;

  /** What one who waits takes beside the name. */
  private static final long ROW_BYTES = 200;

  /** Time to forget some. */
  private record Sweep() implements TimerKey {}

  private record Watcher(long known, long sinceNanos) {}

  private final ServedObjects objects;
  private final PrefixWatchers prefixes;
  private final Shares bytes = new Shares(MAX_BYTES);
  private final Map<String, Map<ClientId, Watcher>> watchers = new LinkedHashMap<>();

  Watchers(Part<ClientId> server, ServedObjects objects, ServerMemory memory) {
    super(server);
    this.objects = objects;
    this.prefixes = new PrefixWatchers(this, objects, memory);
    onMessage(WatchObject.class, this::onWatch);
    onTimer(Sweep.class, sweep -> onSweep());
  }

  private void onWatch(ClientId from, WatchObject watch) {
    forget(watch.object(), from);
    ServedObject object = objects.get(watch.object());
    long version = object == null ? 0 : object.committedState().version();
    if (version > watch.known()) {
      send(from, new Changed(watch.object(), version));
      return;
    }
    if (watchers.getOrDefault(watch.object(), Map.of()).size() >= MAX_OF_AN_OBJECT
        || !bytes.take(from.principal(), bytesOf(watch.object()))) {
      return; // It will look by itself.
    }
    if (watchers.isEmpty()) {
      setTimer(new Sweep(), EXPIRY_NANOS);
    }
    watchers
        .computeIfAbsent(watch.object(), name -> new LinkedHashMap<>())
        .put(from, new Watcher(watch.known(), now().nanos()));
  }

  /** A version was committed. */
  void committed(ServedObject object) {
    prefixes.committed(object);
    long version = object.committedState().version();
    for (Map.Entry<ClientId, Watcher> watcher : all(object.name)) {
      if (watcher.getValue().known() < version) {
        forget(object.name, watcher.getKey());
        send(watcher.getKey(), new Changed(object.name, version));
      }
    }
  }

  private List<Map.Entry<ClientId, Watcher>> all(String object) {
    return new ArrayList<>(watchers.getOrDefault(object, Map.of()).entrySet());
  }

  private void onSweep() {
    for (String object : List.copyOf(watchers.keySet())) {
      for (Map.Entry<ClientId, Watcher> watcher : all(object)) {
        if (now().nanos() - watcher.getValue().sinceNanos() >= EXPIRY_NANOS) {
          forget(object, watcher.getKey());
        }
      }
    }
    if (!watchers.isEmpty()) {
      setTimer(new Sweep(), EXPIRY_NANOS);
    }
  }

  private void forget(String object, ClientId client) {
    Map<ClientId, Watcher> ofObject = watchers.get(object);
    if (ofObject != null && ofObject.remove(client) != null) {
      bytes.giveBack(client.principal(), bytesOf(object));
      if (ofObject.isEmpty()) {
        watchers.remove(object);
      }
    }
  }

  private static long bytesOf(String object) {
    return ROW_BYTES + object.length();
  }

  /** What those who wait take; about. */
  long memoryBytes() {
    return bytes.all() + prefixes.memoryBytes();
  }
}
