package io.testudo.bench.driver;

import java.util.List;
import java.util.Locale;

/**
 * How a system is harmed while its callers work: for how long before, during and after.
 *
 * @param sliceNanos answers are counted in slices of this length, of which each part has a whole
 *     number
 */
public record HarmPlan(ServerHarm harm, int before, int during, int after, long sliceNanos) {
  /** More slices would make a line that nobody wants to read. */
  public static final int MOST_SLICES = 10_000;

  private static final int WORDS = 5;

  public HarmPlan {
    if (before < 1 || during < 1 || after < 1 || before + during + after > MOST_SLICES) {
      throw new IllegalArgumentException(
          "%d, %d and %d slices are too few or too many".formatted(before, during, after));
    }
    if (sliceNanos < 1) {
      throw new IllegalArgumentException("a slice takes time");
    }
  }

  /** Of all parts. */
  public int slices() {
    return before + during + after;
  }

  public long nanos() {
    return slices() * sliceNanos;
  }

  /** The words that {@link #parse} reads. */
  public String line() {
    return "%s %d %d %d %d".formatted(PeerWork.word(harm), before, during, after, sliceNanos);
  }

  /**
   * Reads what {@link #line} wrote.
   *
   * @throws IllegalArgumentException if it did not
   */
  static HarmPlan parse(List<String> words) {
    if (words.size() != WORDS) {
      throw new IllegalArgumentException(
          "a plan is said in %d words, not %s".formatted(WORDS, words));
    }
    return new HarmPlan(
        ServerHarm.valueOf(words.get(0).toUpperCase(Locale.ROOT)),
        Integer.parseInt(words.get(1)),
        Integer.parseInt(words.get(2)),
        Integer.parseInt(words.get(3)),
        Long.parseLong(words.get(4)));
  }
}
