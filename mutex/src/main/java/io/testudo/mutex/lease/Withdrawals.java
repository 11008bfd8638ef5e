package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.Contender;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Attempts for one lock that a server was told are over, the newest of each contender: what comes
 * of them after that comes too late.
 */
public final class Withdrawals {
  /** Beyond so many marks the oldest goes; its loss may cost time, never exclusion. */
  static final int MAX_MARKS = 1_024;

  private final Map<Contender, Long> upTo =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Contender, Long> eldest) {
          return size() > MAX_MARKS;
        }
      };

  public Withdrawals() {}

  public void mark(Contender contender, long time) {
    upTo.merge(contender, time, Math::max);
  }

  /** Whether this attempt is over, or an earlier one than one that is. */
  public boolean cover(Contender contender, long time) {
    return time <= upTo.getOrDefault(contender, 0L);
  }
}
