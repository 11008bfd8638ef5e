package io.testudo.bench.contention;

import io.testudo.quorum.spi.Entropy;

/** How long a message takes, at most delta. */
enum Delays {
  /** Always delta: who speaks first is heard first by all servers. */
  CONSTANT {
    @Override
    long drawNanos(long deltaNanos, Entropy entropy) {
      return deltaNanos;
    }
  },

  /** Anything up to delta, each message for itself: servers hear contenders in any order. */
  UNIFORM {
    @Override
    long drawNanos(long deltaNanos, Entropy entropy) {
      return 1 + entropy.nextLong(deltaNanos);
    }
  };

  abstract long drawNanos(long deltaNanos, Entropy entropy);
}
