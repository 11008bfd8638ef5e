package io.testudo.mutex.dht.sigma;

import io.testudo.mutex.dht.ReplicaKeys;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.quorum.protocol.BoundedMap;
import io.testudo.quorum.protocol.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a client that knows where logical replicas are: each is looked up once, and again
 * only when it says that it is not there or is silent twice.
 */
final class ReplicaDirectory extends Part<NodeId> {
  /** So many replicas are known at once; one that was not used for long is looked up again. */
  private static final int MAX_KNOWN = 8_192;

  /** Messages that wait for one lookup; what a client repeats it need not send twice. */
  private static final int MAX_WAITING = 8;

  /** So many messages without an answer, and the replica is looked up again. */
  private static final int SILENCES = 2;

  private record Replica(String lock, int index) {}

  private static final class Place {
    @Nullable NodeId node;
    int unanswered;
    final List<ToReplica> waiting = new ArrayList<>(0);
  }

  private final Overlay overlay;
  private final Map<Replica, Place> places = BoundedMap.byUse(MAX_KNOWN);

  ReplicaDirectory(Part<NodeId> node, Overlay overlay) {
    super(node);
    this.overlay = overlay;
    onMessage(Located.class, this::onLocated);
    onMessage(NotHere.class, this::onNotHere);
  }

  /** Sends a message to its replica, when that is found. */
  void send(ToReplica message, boolean isAnswered) {
    Replica replica = new Replica(message.request().lock(), message.index());
    Place place = places.computeIfAbsent(replica, unused -> new Place());
    if (place.node != null && place.unanswered >= SILENCES) {
      place.node = null;
    }
    if (place.node != null) {
      place.unanswered += isAnswered ? 1 : 0;
      send(place.node, message);
      return;
    }
    if (place.waiting.size() == MAX_WAITING) {
      place.waiting.remove(0);
    }
    place.waiting.add(message);
    lookUp(replica);
  }

  private void lookUp(Replica replica) {
    overlay.route(
        ReplicaKeys.of(replica.lock(), replica.index()),
        new Locate(overlay.self(), replica.lock(), replica.index()));
  }

  /** A replica has answered: it is where it is thought to be. */
  void heard(NodeId from, String lock, int index) {
    Place place = places.get(new Replica(lock, index));
    if (place != null && from.equals(place.node)) {
      place.unanswered = 0;
    }
  }

  private void onLocated(NodeId from, Located located) {
    Place place = places.get(new Replica(located.lock(), located.index()));
    if (place == null) {
      return;
    }
    place.node = from;
    place.unanswered = place.waiting.isEmpty() ? 0 : 1;
    place.waiting.forEach(message -> send(from, message));
    place.waiting.clear();
  }

  private void onNotHere(NodeId from, NotHere denied) {
    Place place = places.get(new Replica(denied.lock(), denied.index()));
    if (place != null && from.equals(place.node)) {
      place.node = null; // What was sent is sent again by the protocol, and looked up then.
    }
  }
}
