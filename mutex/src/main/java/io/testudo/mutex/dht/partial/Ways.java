package io.testudo.mutex.dht.partial;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.quorum.protocol.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * The members to which a request for one replica went from here. As a rule it is one; where that
 * gave no receipt in time the request went to another, too, and what each of them noted has to be
 * taken back.
 */
final class Ways {
  /** Of more the eldest is forgotten: what was noted on it fades. */
  private static final int MAX_WAYS = 4;

  private final List<NodeId> ways = new ArrayList<>(1);

  /** The last that was taken is the last of them. */
  void add(NodeId next) {
    if (!ways.isEmpty() && ways.get(ways.size() - 1).equals(next)) {
      return;
    }
    ways.remove(next);
    ways.add(next);
    if (ways.size() > MAX_WAYS) {
      ways.remove(0);
    }
  }

  /**
   * Sends a message along all of them.
   *
   * @param last goes the way that was taken last
   * @param others goes the others
   */
  void route(Overlay overlay, long key, Message last, Message others) {
    for (int i = 0; i < ways.size(); i++) {
      overlay.routeVia(ways.get(i), key, i == ways.size() - 1 ? last : others);
    }
  }
}
