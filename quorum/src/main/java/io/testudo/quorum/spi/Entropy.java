package io.testudo.quorum.spi;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The only source of chance that a protocol may use. Given the same seed it gives the same numbers
 * on every machine, so a simulated run can be replayed. Not for keys: those come from a {@code
 * SecureRandom}.
 *
 * <p>Who sees one number of a {@link #seeded} stream can compute all that follow. Outside of
 * simulations and tests, give a machine {@code new SecureRandom()::nextLong}, so that no server can
 * foresee its nonces.
 */
@FunctionalInterface
public interface Entropy {
  /** Any long, each equally likely. */
  long nextLong();

  /** A number from 0 up to, but not including, {@code bound}. */
  default long nextLong(long bound) {
    checkArgument(bound > 0, "a bound must be positive, %s was given", bound);
    // Draw again in the last, incomplete stretch, else small numbers would come up more often.
    long bits = nextLong() >>> 1;
    long value = bits % bound;
    while (bits - value + (bound - 1) < 0) {
      bits = nextLong() >>> 1;
      value = bits % bound;
    }
    return value;
  }

  /** A number from 0 up to, but not including, {@code bound}. */
  default int nextInt(int bound) {
    return (int) nextLong(bound);
  }

  /** A number in [0, 1). */
  default double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /** True with the given probability. */
  default boolean chance(double probability) {
    return nextDouble() < probability;
  }

  /** A stream of its own that depends on this one and on {@code label} only. */
  default Entropy fork(long label) {
    return seeded(nextLong() ^ SplitMix.mix(label));
  }

  /** The stream of a seed. */
  static Entropy seeded(long seed) {
    return new SplitMix(seed);
  }
}
