package io.testudo.quorum.ping;

import io.testudo.quorum.spi.Entropy;
import java.util.function.LongSupplier;

/**
 * How a server's number goes up.
 *
 * @param onNanos while it is asked, it counts on so often
 * @param leap how far each start goes
 */
public record Counting(long onNanos, LongSupplier leap) {
  /** The shortest leap of a start: no server counts on so far between two surveys of a client. */
  static final long MIN_LEAP = 1L << 19;

  /** By one with each start: of two copies of a disk nobody could tell. */
  public static final Counting STEADY = new Counting(600_000_000_000L, () -> 1);

  private static final long OFTEN_NANOS = 10_000_000_000L;

  /**
   * By leaps of chance, so that two starts from one copy of a disk begin with different numbers,
   * and what a server said since a copy was made is a number that the copy leaps over.
   */
  public static Counting leaping(Entropy entropy) {
    return new Counting(OFTEN_NANOS, () -> MIN_LEAP + Math.floorMod(entropy.nextLong(), MIN_LEAP));
  }
}
