package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a lease is good for, on the clocks of its holder. Two clocks measure it and the one that
 * shows more counts: the monotonic clock stands still while a machine is suspended, the wall clock
 * may be set back. A wall clock that is set forward ends a lease early, which is safe.
 *
 * @param start when it begins to count: before the first request for it was sent
 * @param lengthNanos from the start
 */
public record Term(Moment start, long lengthNanos) {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  public Term {
    checkArgument(lengthNanos > 0, "a term of %s ns is none", lengthNanos);
  }

  /** What is left of it; 0 or less when it is over. */
  public long remainingNanos(Moment now) {
    return lengthNanos - elapsedNanos(now);
  }

  /** The time since the start, as the clock says that shows more of it. */
  public long elapsedNanos(Moment now) {
    long wallMillis = now.wallMillis() - start.wallMillis();
    // Whole milliseconds are read, so up to one more has passed than the difference shows.
    long wallNanos = (wallMillis + 1) * NANOS_PER_MILLI;
    return Math.max(now.nanos() - start.nanos(), wallNanos);
  }

  public boolean isOver(Moment now) {
    return remainingNanos(now) <= 0;
  }

  /**
   * What grants make of which so many are needed: a term that lasts as long as enough of theirs do.
   * Null if they are too few.
   */
  public static @Nullable Term ofEnough(List<Term> granted, int needed, Moment now) {
    if (granted.size() < needed) {
      return null;
    }
    List<Term> longestFirst = new ArrayList<>(granted);
    longestFirst.sort(
        (one, other) -> Long.compare(other.remainingNanos(now), one.remainingNanos(now)));
    return longestFirst.get(needed - 1);
  }
}
