package io.testudo.ordering;

import java.time.Duration;

/**
 * For how long an object is there. Its end is a moment of wall clocks: of the client that orders
 * the operation which sets it, and of whoever looks whether it is past.
 *
 * @param duration from when it is set, at least a millisecond and at most a thousand years; zero
 *     for an object without an end
 * @param isRenewed whether each change of the object sets it anew
 */
public record TimeToLive(Duration duration, boolean isRenewed) {
  /** An object that stays until it is deleted. */
  public static final TimeToLive ENDLESS = new TimeToLive(Duration.ZERO, false);

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofDays(365_000);

  public TimeToLive {
    boolean isEndless = duration.isZero() && !isRenewed;
    if (!isEndless && (duration.compareTo(LEAST) < 0 || duration.compareTo(MOST) > 0)) {
      throw new IllegalArgumentException(
          "A time to live of %s is not from a millisecond to a thousand years; choose another."
              .formatted(duration));
    }
  }

  /** So long from now on, whatever is done to the object. */
  public static TimeToLive of(Duration duration) {
    return new TimeToLive(duration, false);
  }

  /** So long from the last change of the object on. */
  public static TimeToLive sinceLastChange(Duration duration) {
    return new TimeToLive(duration, true);
  }
}
