package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.LockRefusedException;
import java.time.Duration;

/**
 * The time bounds that clients and servers of a cluster agree on. Exclusion needs only the drift
 * bound; the delay is what liveness rests on.
 *
 * @param delayNanos delta: how long a message takes at most while all is well
 * @param drift rho: by how much the rate of a clock errs at most, as a fraction
 * @param refreshNanos R: how often a waiter shows that it still waits
 * @param maxHoldNanos the longest hold that servers grant at once
 * @param maxSkewMillis how far ahead of its own clock a client believes a rank without proof, and a
 *     server grants one
 */
public record LockTiming(
    long delayNanos, double drift, long refreshNanos, long maxHoldNanos, long maxSkewMillis) {
  private static final long MILLI = 1_000_000L;

  /** Windows become up to so many times wider when messages are slower than the delay bound. */
  private static final int WIDEST = 8;

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
    checkArgument(
        maxSkewMillis >= 0 && maxSkewMillis <= MAX_NANOS / MILLI,
        "the maximal skew must not be negative, at most a year");
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

  /** The same where answers take so long, if that is longer than the bound says. */
  public long windowNanos(long roundTripNanos) {
    long slowNanos = refreshNanos + roundTripNanos + roundTripNanos / 2;
    return Math.min(maxWindowNanos(), Math.max(windowNanos(), slowNanos));
  }

  private long maxWindowNanos() {
    return WIDEST * windowNanos();
  }

  /** Answers that take longer than this find no window wide enough. */
  public long longestRoundTripNanos() {
    return (maxWindowNanos() - refreshNanos) / 3 * 2;
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

  /** How much may have passed at least on any clock, while so much has on another. */
  public long leastNanos(long otherNanos) {
    return (long) Math.floor(otherNanos * (1 - drift) / (1 + drift));
  }

  /** The longest lease that a client may ask for. */
  public long maxLeaseNanos() {
    return maxHoldNanos + maxWindowNanos();
  }

  /** Why a hold that is longer than the maximum is not granted. */
  public LockRefusedException holdTooLong(String lock) {
    return new LockRefusedException(
        lock, "a hold may last %d ms at most".formatted(maxHoldNanos / MILLI));
  }

  /** Up to this time ranks are near a wall clock. */
  public long horizonAt(long wallMillis) {
    return RankClock.atWall(wallMillis + maxSkewMillis);
  }

  /** After this long a waiter that was not heard of counts as gone. */
  public long waiterExpiryNanos() {
    return 3 * refreshNanos + 2 * delayNanos;
  }
}
