package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.Contender;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Those who wait at one server for one lock, the earliest request first. Each is there once. */
final class WaitingLine {
  /** Beyond so many, the next have to ask again by themselves. */
  static final int MAX_WAITING = 8_192;

  /** Nobody is told a position beyond this one; counting further would cost more than it helps. */
  static final int LAST_COUNTED = 256;

  private final Map<Contender, Waiting> byContender = new HashMap<>();
  private final TreeSet<Waiting> inOrder = new TreeSet<>(Waiting.ORDER);

  boolean isEmpty() {
    return inOrder.isEmpty();
  }

  @Nullable Waiting find(Contender contender) {
    return byContender.get(contender);
  }

  /** Takes one in, in the place of what it said before. */
  void put(Waiting waiting) {
    remove(waiting.contender());
    if (inOrder.size() < MAX_WAITING) {
      byContender.put(waiting.contender(), waiting);
      inOrder.add(waiting);
    }
  }

  void remove(Contender contender) {
    Waiting gone = byContender.remove(contender);
    if (gone != null) {
      inOrder.remove(gone);
    }
  }

  /** Takes the earliest out, or gives null. */
  @Nullable Waiting takeFirst() {
    Waiting first = inOrder.pollFirst();
    if (first != null) {
      byContender.remove(first.contender());
    }
    return first;
  }

  /** Where it stands, from 1; 0 if it is not here. */
  long positionOf(Contender contender) {
    Waiting sought = byContender.get(contender);
    if (sought == null) {
      return 0;
    }
    if (inOrder.last().equals(sought)) {
      return Math.min(inOrder.size(), LAST_COUNTED); // Whoever has just come: no need to count.
    }
    long position = 0;
    for (Waiting waiting : inOrder) {
      position++;
      if (waiting.equals(sought) || position == LAST_COUNTED) {
        break;
      }
    }
    return position;
  }

  List<Waiting> all() {
    return List.copyOf(inOrder);
  }
}
