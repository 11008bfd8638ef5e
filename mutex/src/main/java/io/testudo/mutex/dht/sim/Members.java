package io.testudo.mutex.dht.sim;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Routing;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who is a member, as nobody in the ring knows it: all of them at once. */
public final class Members {
  /** As many on either side are introduced: those of a leaf set. */
  private static final int NEAR = 8;

  /** Of so many digits of an id there are members enough to fill a table with. */
  private static final int DIGITS = 16;

  private static final int DIGIT_BITS = 4;

  private final Routings routings;
  private final NavigableSet<NodeId> all = new TreeSet<>();

  Members(Routings routings) {
    this.routings = routings;
  }

  /** All of them, in order. */
  public ImmutableList<NodeId> all() {
    return ImmutableList.copyOf(all);
  }

  public int size() {
    return all.size();
  }

  boolean add(NodeId id) {
    return all.add(id);
  }

  void remove(NodeId id) {
    all.remove(id);
  }

  public boolean contains(NodeId id) {
    return all.contains(id);
  }

  /** One of them. */
  public NodeId any(Entropy entropy) {
    NodeId from = all.ceiling(new NodeId(entropy.nextLong()));
    return from == null ? all.first() : from;
  }

  /** As many different ones, or all others: who knows only one is lost when that dies. */
  List<NodeId> some(int count, NodeId but, Entropy entropy) {
    int others = all.size() - (all.contains(but) ? 1 : 0);
    List<NodeId> some = new ArrayList<>();
    while (some.size() < Math.min(count, others)) {
      NodeId one = any(entropy);
      if (!one.equals(but) && !some.contains(one)) {
        some.add(one);
      }
    }
    return some;
  }

  /** The owner of a key, once all know of each other. */
  public NodeId owner(long key) {
    NodeId place = new NodeId(key);
    NodeId above = ceiling(place);
    if (routings == Routings.RING) {
      return above;
    }
    NodeId lower = all.floor(place);
    NodeId below = lower == null ? all.last() : lower;
    long up = above.bits() - key;
    long down = key - below.bits();
    return Long.compareUnsigned(up, down) < 0 ? above : below;
  }

  private NodeId ceiling(NodeId place) {
    NodeId above = all.ceiling(place);
    return above == null ? all.first() : above;
  }

  /** Tells a routing of the members that it should know. */
  void introduce(Routing routing, NodeId self, Entropy entropy) {
    around(routing, all.tailSet(self, false).iterator(), all.iterator());
    around(routing, all.headSet(self, false).descendingIterator(), all.descendingIterator());
    if (routings == Routings.RING) {
      for (int bit = 0; bit < Long.SIZE; bit++) {
        routing.meet(ceiling(new NodeId(self.bits() + (1L << bit))));
      }
      return;
    }
    for (int row = 0; row < DIGITS; row++) {
      int shift = Long.SIZE - DIGIT_BITS * (row + 1);
      long prefix = shift + DIGIT_BITS == Long.SIZE ? 0 : self.bits() >>> (shift + DIGIT_BITS);
      boolean isAlone = true;
      for (long digit = 0; digit < 1L << DIGIT_BITS; digit++) {
        long first = ((prefix << DIGIT_BITS) | digit) << shift;
        long size = 1L << shift;
        NodeId some = any(all, first, size, entropy);
        if (some != null) {
          isAlone &= some.equals(self);
          routing.meet(some);
        }
      }
      if (isAlone) {
        return;
      }
    }
  }

  private static @Nullable NodeId any(
      NavigableSet<NodeId> all, long first, long size, Entropy entropy) {
    long last = first + (size - 1);
    NodeId from = all.ceiling(new NodeId(first + (entropy.nextLong() & (size - 1))));
    if (from != null && Long.compareUnsigned(from.bits(), last) <= 0) {
      return from;
    }
    NodeId least = all.ceiling(new NodeId(first));
    return least != null && Long.compareUnsigned(least.bits(), last) <= 0 ? least : null;
  }

  private static void around(Routing routing, Iterator<NodeId> near, Iterator<NodeId> wrapped) {
    for (int i = 0; i < NEAR; i++) {
      if (near.hasNext()) {
        routing.meet(near.next());
      } else if (wrapped.hasNext()) {
        routing.meet(wrapped.next());
      }
    }
  }
}
