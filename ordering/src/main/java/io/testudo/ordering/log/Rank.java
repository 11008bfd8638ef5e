package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.RankClock;
import org.jspecify.annotations.Nullable;

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

  public Rank {
    checkArgument(
        time >= 0 && time <= RankClock.MAX_TIME, "the time %s of a rank is out of range", time);
    checkArgument(time > 0 || session == 0, "there is only one rank with no time");
  }

  @Override
  public int compareTo(Rank other) {
    return time != other.time
        ? Long.compare(time, other.time)
        : Long.compare(session, other.session);
  }

  /** Written out, as below: ranks are compared with each message, and the JDK's way is slower. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Rank rank && time == rank.time && session == rank.session;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(time) + Long.hashCode(session);
  }

  public boolean isBelow(Rank other) {
    return compareTo(other) < 0;
  }

  @Override
  public String toString() {
    return time + "/" + Long.toHexString(session);
  }
}
