package io.testudo.quorum;

import java.util.stream.LongStream;

/** All subsets of small sets, as bits. */
final class Subsets {
  private Subsets() {}

  /** Every subset of the first {@code n} servers. */
  static LongStream ofFirst(int n) {
    return LongStream.range(0, 1L << n);
  }

  /** Every subset of the first {@code n} servers that has {@code size} members. */
  static long[] ofFirst(int n, int size) {
    LongStream.Builder found = LongStream.builder();
    addAll(found, 0, 0, n, size);
    return found.build().toArray();
  }

  private static void addAll(LongStream.Builder found, long chosen, int from, int n, int missing) {
    if (missing == 0) {
      found.add(chosen);
      return;
    }
    for (int next = from; next <= n - missing; next++) {
      addAll(found, chosen | 1L << next, next + 1, n, missing - 1);
    }
  }

  /** Every subset of the given set that has {@code size} members. */
  static long[] of(long set, int size) {
    LongStream.Builder found = LongStream.builder();
    // Counts down through the subsets of the set, the empty one last.
    for (long subset = set; ; subset = (subset - 1) & set) {
      if (Long.bitCount(subset) == size) {
        found.add(subset);
      }
      if (subset == 0) {
        return found.build().toArray();
      }
    }
  }
}
