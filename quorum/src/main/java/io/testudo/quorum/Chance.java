package io.testudo.quorum;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.function.IntUnaryOperator;

/** Counting and drawing of subsets, shared by the constructions. */
final class Chance {
  private Chance() {}

  /** The number of ways to take {@code k} of {@code n}. */
  static double binomial(int n, int k) {
    double ways = 1;
    for (int i = 1; i <= k; i++) {
      ways = ways * (n - k + i) / i;
    }
    return ways;
  }

  static void checkProbability(double p) {
    checkArgument(p >= 0 && p <= 1, "a probability is 0 to 1, %s was given", p);
  }

  /** Takes {@code size} of the given bits, each such subset with the same probability. */
  static long subset(long bits, int size, IntUnaryOperator pick) {
    long taken = 0;
    int missing = size;
    int candidates = Long.bitCount(bits);
    for (long left = bits; missing > 0; left &= left - 1) {
      // Of the candidates left, the next one is taken with probability missing/candidates.
      if (draw(pick, candidates) < missing) {
        taken |= Long.lowestOneBit(left);
        missing--;
      }
      candidates--;
    }
    return taken;
  }

  static int draw(IntUnaryOperator pick, int bound) {
    int drawn = pick.applyAsInt(bound);
    checkState(drawn >= 0 && drawn < bound, "%s was drawn from 0 to below %s", drawn, bound);
    return drawn;
  }
}
