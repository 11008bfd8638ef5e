package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.Contender;
import io.testudo.quorum.protocol.BoundedMap;
import java.util.Map;

/**
 * Attempts for one lock that a server was told are over, the newest of each contender: what comes
 * of them after that comes too late.
 */
public final class Withdrawals {
  /** Beyond so many marks the oldest goes; its loss may cost time, never exclusion. */
  static final int MAX_MARKS = 1_024;

  private final Map<Contender, Long> upTo = BoundedMap.byAge(MAX_MARKS);

  public Withdrawals() {}

  public void mark(Contender contender, long time) {
    upTo.merge(contender, time, Math::max);
  }

  /** Whether this attempt is over, or an earlier one than one that is. */
  public boolean cover(Contender contender, long time) {
    return time <= upTo.getOrDefault(contender, 0L);
  }
}
