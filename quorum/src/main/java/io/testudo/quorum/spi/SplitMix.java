package io.testudo.quorum.spi;

/**
 * The SplitMix64 generator of Steele, Lea and Flood (OOPSLA 2014): one addition and one mixing
 * function per number. Written out here because the JDK does not promise the same numbers in every
 * release, and a seed must mean the same run for ever.
 */
final class SplitMix implements Entropy {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  SplitMix(long seed) {
    this.state = seed;
  }

  @Override
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
