package io.testudo.bench.driver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What callers saw while a server was harmed.
 *
 * @param p99Nanos of what ended before, during and after
 * @param longestGapNanos the longest time without any answer, before the harm and since
 * @param failed calls that ended with an error, and were made again
 * @param violations calls that ended well and should not have: two at once inside of a lock, a
 *     counter that did not grow, increments that were answered and are not counted
 * @param hung callers whose last call never ended
 * @param answers how many ended well in each slice
 */
public record HarmRecord(
    List<Long> p99Nanos,
    List<Long> longestGapNanos,
    long failed,
    long violations,
    int hung,
    List<Long> answers) {
  private static final int PHASES = 3;
  private static final int GAPS = 2;
  private static final int FIGURES = PHASES + GAPS + 3;

  /** The words that {@link #parse} reads. */
  public String line() {
    List<Long> figures = new ArrayList<>(p99Nanos);
    figures.addAll(longestGapNanos);
    figures.addAll(List.of(failed, violations, (long) hung));
    figures.addAll(answers);
    return figures.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  /**
   * Reads what {@link #line} wrote.
   *
   * @param slices that the plan had
   * @throws IllegalArgumentException if it did not
   */
  public static HarmRecord parse(String line, int slices) {
    List<Long> figures =
        Arrays.stream(line.split(" ", -1))
            .filter(word -> !word.isEmpty())
            .map(Long::valueOf)
            .toList();
    if (figures.size() != FIGURES + slices) {
      throw new IllegalArgumentException(
          "%d figures in the place of %d".formatted(figures.size(), FIGURES + slices));
    }
    return new HarmRecord(
        figures.subList(0, PHASES),
        figures.subList(PHASES, PHASES + GAPS),
        figures.get(PHASES + GAPS),
        figures.get(PHASES + GAPS + 1),
        Math.toIntExact(figures.get(PHASES + GAPS + 2)),
        figures.subList(FIGURES, figures.size()));
  }
}
