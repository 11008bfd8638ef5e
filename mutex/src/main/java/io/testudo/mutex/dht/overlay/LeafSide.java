package io.testudo.mutex.dht.overlay;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members next to one place on one side of it, the nearest first. Distances are kept beside
 * them: each leaf that a neighbour names is compared with them, in every probe period.
 */
final class LeafSide {
  private final long self;
  private final boolean isUp;
  private final NodeId[] nodes = new NodeId[LeafSet.PER_SIDE];
  private final long[] distances = new long[LeafSet.PER_SIDE];
  private int size;

  LeafSide(long self, boolean isUp) {
    this.self = self;
    this.isUp = isUp;
  }

  private long distance(NodeId node) {
    return isUp ? NodeId.clockwise(self, node.bits()) : NodeId.clockwise(node.bits(), self);
  }

  /** Whether it would be one of them, and is not yet. */
  boolean wants(NodeId node) {
    return placeOf(distance(node)) >= 0;
  }

  /** Whether it is one of them now, and was not before. */
  boolean add(NodeId node) {
    long distance = distance(node);
    int place = placeOf(distance);
    if (place < 0) {
      return false;
    }
    size = Math.min(size + 1, nodes.length);
    int after = size - place - 1;
    System.arraycopy(nodes, place, nodes, place + 1, after);
    System.arraycopy(distances, place, distances, place + 1, after);
    nodes[place] = node;
    distances[place] = distance;
    return true;
  }

  /** Where it belongs; -1 if it is there already or too far away. */
  private int placeOf(long distance) {
    int place = size;
    while (place > 0) { // From the far end: most that are heard of are beyond it.
      int order = Long.compareUnsigned(distances[place - 1], distance);
      if (order == 0) {
        return -1;
      }
      if (order < 0) {
        break;
      }
      place--;
    }
    return place == nodes.length ? -1 : place;
  }

  boolean remove(NodeId node) {
    long distance = distance(node);
    for (int place = 0; place < size; place++) {
      if (distances[place] == distance) {
        size--;
        System.arraycopy(nodes, place + 1, nodes, place, size - place);
        System.arraycopy(distances, place + 1, distances, place, size - place);
        return true;
      }
    }
    return false;
  }

  boolean isFull() {
    return size == nodes.length;
  }

  @Nullable NodeId nearest() {
    return size == 0 ? null : nodes[0];
  }

  /** How far away the last one is; 0 if there is none. */
  long reach() {
    return size == 0 ? 0 : distances[size - 1];
  }

  List<NodeId> all() {
    return Arrays.asList(nodes).subList(0, size);
  }
}
