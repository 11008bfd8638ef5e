package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.RankClock;
import java.util.Comparator;

/**
 * By what ballots are ordered. The session is the low part, so that no two clients ever share a
 * rank.
 *
 * @param time on the hybrid clock of the client; 0 for the rank below all others
 * @param session of the client
 */
public record Rank(long time, long session) implements Comparable<Rank> {
  /** Below every rank that a ballot can have. */
  public static final Rank NONE = new Rank(0, 0);

  private static final Comparator<Rank> ORDER =
      Comparator.comparingLong(Rank::time).thenComparingLong(Rank::session);

  public Rank {
    checkArgument(
        time >= 0 && time <= RankClock.MAX_TIME, "the time %s of a rank is out of range", time);
    checkArgument(time > 0 || session == 0, "there is only one rank with no time");
  }

  @Override
  public int compareTo(Rank other) {
    return ORDER.compare(this, other);
  }

  public boolean isBelow(Rank other) {
    return compareTo(other) < 0;
  }

  @Override
  public String toString() {
    return time + "/" + Long.toHexString(session);
  }
}
