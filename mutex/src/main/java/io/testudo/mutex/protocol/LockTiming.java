package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * The time bounds that clients and servers of a cluster agree on. Exclusion needs only the drift
 * bound; the delay is what liveness rests on.
 *
 * @param delayNanos delta: how long a message takes at most while all is well
 * @param drift rho: by how much the rate of a clock errs at most, as a fraction
 * @param refreshNanos R: how often a waiter shows that it still waits
 * @param maxHoldNanos the longest hold that servers grant at once
 * @param maxSkewMillis how far ahead of its own clock a client believes a rank without proof
 */
public record LockTiming(
    long delayNanos, double drift, long refreshNanos, long maxHoldNanos, long maxSkewMillis) {
  private static final long MILLI = 1_000_000L;

  /** A year: beyond it sums of these times could overflow. */
  private static final long MAX_NANOS = Duration.ofDays(365).toNanos();

  public LockTiming {
    checkArgument(
        delayNanos > 0 && delayNanos <= MAX_NANOS,
        "the delay bound must be positive, at most a year");
    checkArgument(drift >= 0 && drift < 0.5, "a drift of %s is not from 0 to below 0.5", drift);
    checkArgument(
        refreshNanos > 0 && refreshNanos <= MAX_NANOS,
        "the refresh period must be positive, at most a year");
    checkArgument(
        maxHoldNanos > 0 && maxHoldNanos <= MAX_NANOS,
        "the maximal hold must be positive, at most a year");
    checkArgument(maxSkewMillis >= 0, "the maximal skew must not be negative");
  }

  /** Delays up to 100 ms, clocks that err by 1 % at most, holds up to 30 s. */
  public static LockTiming standard() {
    return new LockTiming(100 * MILLI, 0.01, 500 * MILLI, 30_000 * MILLI, 10_000);
  }

  public LockTiming withMaxHold(Duration maxHold) {
    return new LockTiming(delayNanos, drift, refreshNanos, maxHold.toNanos(), maxSkewMillis);
  }

  public LockTiming withDelay(Duration delay) {
    return new LockTiming(delay.toNanos(), drift, refreshNanos, maxHoldNanos, maxSkewMillis);
  }

  public LockTiming withRefresh(Duration refresh) {
    return new LockTiming(delayNanos, drift, refresh.toNanos(), maxHoldNanos, maxSkewMillis);
  }

  /**
   * How old the request may be that a grant answers. A waiter's last refresh may be a period old
   * when the lock becomes free, and three messages follow: that refresh, the release, the grant.
   */
  public long windowNanos() {
    return refreshNanos + 3 * delayNanos;
  }

  /** For how long a client asks, on its own clock from its first send, to be left the hold. */
  public long leaseNanos(long holdNanos) {
    return holdNanos + windowNanos();
  }

  /**
   * For how long a server is locked, on its own clock: what is a lease on a slow clock, measured by
   * a fast one.
   */
  public long serverLeaseNanos(long leaseNanos) {
    return (long) Math.ceil(leaseNanos * (1 + drift) / (1 - drift));
  }

  /** The longest lease that a client may ask for. */
  public long maxLeaseNanos() {
    return leaseNanos(maxHoldNanos);
  }

  /** After this long a waiter that was not heard of counts as gone. */
  public long waiterExpiryNanos() {
    return 3 * refreshNanos + 2 * delayNanos;
  }
}
