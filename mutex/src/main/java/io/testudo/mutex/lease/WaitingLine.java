package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.Contender;
import io.testudo.quorum.protocol.Moment;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait at one server for one lock, the earliest request first. Each contender is there
 * once.
 *
 * @param <W> what the protocol remembers of each
 */
public final class WaitingLine<W extends WaitingLine.Member> {
  /** Beyond so many, the next have to ask again by themselves. */
  public static final int MAX_WAITING = 8_192;

  /**
   * Whoever is not the last is told no position beyond this one: counting further costs too much.
   */
  static final int LAST_COUNTED = 256;

  /** One who waits. */
  public interface Member {
    Contender contender();

    /** The time of its request. */
    long time();

    /** When its newest message came, or, if it was told so, when the next one is to come. */
    long awaitedNanos();
  }

  private final Map<Contender, W> byContender = new HashMap<>();

  /** The order of requests, (t, client). */
  private final TreeSet<W> inOrder =
      new TreeSet<>(Comparator.comparingLong(W::time).thenComparing(W::contender));

  public WaitingLine() {}

  public int size() {
    return inOrder.size();
  }

  public boolean isEmpty() {
    return inOrder.isEmpty();
  }

  public @Nullable W find(Contender contender) {
    return byContender.get(contender);
  }

  /** Takes one in, in the place of what it said before. */
  public void put(W waiting) {
    remove(waiting.contender());
    if (inOrder.size() < MAX_WAITING) {
      byContender.put(waiting.contender(), waiting);
      inOrder.add(waiting);
    }
  }

  public void remove(Contender contender) {
    W gone = byContender.remove(contender);
    if (gone != null) {
      inOrder.remove(gone);
    }
  }

  /**
   * Takes the earliest out that was heard of lately, or gives null. Those before it are gone
   * without a word: to grant them the lock would cost all others their leases.
   */
  public @Nullable W takeFirst(Moment now, long expiryNanos) {
    W first;
    do {
      first = inOrder.pollFirst();
      if (first != null) {
        byContender.remove(first.contender());
      }
    } while (first != null && now.nanos() - first.awaitedNanos() > expiryNanos);
    return first;
  }

  /** Where it stands, from 1; 0 if it is not here. */
  public long positionOf(Contender contender) {
    W sought = byContender.get(contender);
    if (sought == null) {
      return 0;
    }
    if (inOrder.last().equals(sought)) {
      return inOrder.size(); // Whoever has just come: no need to count.
    }
    long position = 0;
    for (W waiting : inOrder) {
      position++;
      if (waiting.equals(sought) || position == LAST_COUNTED) {
        break;
      }
    }
    return position;
  }

  /** All of them, in their order. */
  public Stream<W> stream() {
    return inOrder.stream();
  }
}
