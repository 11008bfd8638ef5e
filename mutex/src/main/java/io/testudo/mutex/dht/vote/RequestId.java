package io.testudo.mutex.dht.vote;

import io.testudo.mutex.dht.overlay.NodeId;
import java.util.Comparator;

/**
 * One call for a lock, from its first message to its last. Earlier ones come first.
 *
 * @param time on the hybrid clock of its client, who never gives one twice
 */
public record RequestId(long time, NodeId client) implements Comparable<RequestId> {
  private static final Comparator<RequestId> ORDER =
      Comparator.comparingLong(RequestId::time).thenComparing(RequestId::client);

  @Override
  public int compareTo(RequestId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return client + "@" + time;
  }
}
