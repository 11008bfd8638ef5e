package io.testudo.mutex.backoff;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.lease.RankFloors;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the ranks went that a server has granted: ceilings on disk, written ahead of the grants,
 * which are floors after a restart. One ceiling covers all locks; it is never far ahead of the
 * clock. Locks whose ranks are have ceilings of their own, in a bounded number.
 */
final class RankLedger {
  /** Ceilings are raised in steps of a second: a write in a second, not one for each grant. */
  private static final long STEP = RankClock.ofMillis(1_000);

  /** A rank may go so far beyond one that is ahead of the clock already. */
  private static final long STRIDE = 2 * STEP;

  /** So many locks may be ahead of the clock. */
  static final int MAX_NAMED = 256;

  private final Map<String, Long> named = new HashMap<>();
  private final RankFloors floors;
  private long ceiling;

  RankLedger(RankFloors floors) {
    this.floors = floors;
  }

  /** Takes what was on disk. */
  void recover(StateRecord record) {
    if (record instanceof RankCeiling past) {
      ceiling = Math.max(ceiling, Math.min(past.time(), RankClock.MAX_TIME));
      floors.raise(ceiling);
    } else if (record instanceof NameCeiling past) {
      named.merge(past.lock(), past.time(), Math::max);
      floors.raise(past.lock(), past.time());
    }
  }

  boolean isEmpty() {
    return ceiling == 0 && named.isEmpty();
  }

  /** What is there to tell others. */
  Ceilings.Ranks ranks() {
    ImmutableMap.Builder<String, Long> ahead = ImmutableMap.builder();
    named.entrySet().stream()
        .filter(each -> each.getValue() > ceiling)
        .limit(MAX_NAMED)
        .forEach(ahead::put);
    return new Ceilings.Ranks(ceiling, ahead.buildOrThrow());
  }

  /** What is to be on disk. */
  List<StateRecord> records() {
    List<StateRecord> records = new ArrayList<>();
    if (ceiling > 0) {
      records.add(new RankCeiling(ceiling));
    }
    named.forEach(
        (name, time) -> {
          if (time > ceiling) {
            records.add(new NameCeiling(name, time));
          }
        });
    return records;
  }

  /**
   * Whether a rank is so far ahead that it is not granted. Without a limit one client with a wrong
   * clock would make the ranks of all others stale. Where the ranks of a lock are ahead of the
   * clock already, because that was set back, the next are, too.
   *
   * @param last of the lock
   * @param horizon up to here ranks are near the clock
   */
  boolean isTooFar(String name, long time, long last, long horizon) {
    if (time <= horizon) {
      return false;
    }
    boolean follows = last > horizon && time - last <= STRIDE;
    return !follows || (time > ceilingOf(name) && !named.containsKey(name) && !hasRoom());
  }

  private boolean hasRoom() {
    if (named.size() >= MAX_NAMED) {
      named.values().removeIf(time -> time <= ceiling);
    }
    return named.size() < MAX_NAMED;
  }

  private long ceilingOf(String name) {
    return Math.max(ceiling, named.getOrDefault(name, 0L));
  }

  /** Before a grant: what has to be on disk first, or null if it is there. */
  @Nullable StateRecord raise(String name, long time, long horizon) {
    if (time <= ceilingOf(name)) {
      return null;
    }
    long raised = Math.min(RankClock.MAX_TIME, (time / STEP + 1) * STEP);
    if (time <= horizon) {
      ceiling = raised;
      return new RankCeiling(raised);
    }
    named.put(name, raised);
    return new NameCeiling(name, raised);
  }
}
