package io.testudo.bench.regions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Round trips between regions, as a provider has published them; the file says which and when.
 *
 * @param names of the regions
 * @param millis from each of them to each
 */
record RegionMatrix(ImmutableList<String> names, ImmutableList<ImmutableList<Double>> millis) {
  private static final Splitter COMMAS = Splitter.on(',').trimResults();
  private static final double NANOS_PER_MILLI = 1e6;

  /** The one that comes with the bench. */
  static RegionMatrix standard() {
    try {
      return parse(
          Resources.toString(Resources.getResource(RegionMatrix.class, "round-trips.csv"), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads lines of commas, the first with the names; what begins with # says where it is from.
   *
   * @throws IllegalArgumentException if it is not such a table
   */
  static RegionMatrix parse(String text) {
    List<List<String>> rows = new ArrayList<>();
    for (String line : Splitter.on('\n').trimResults().omitEmptyStrings().split(text)) {
      if (!line.startsWith("#")) {
        rows.add(COMMAS.splitToList(line));
      }
    }
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("a table of regions without regions");
    }
    ImmutableList<String> names = ImmutableList.copyOf(rows.get(0).subList(1, rows.get(0).size()));
    ImmutableList.Builder<ImmutableList<Double>> millis = ImmutableList.builder();
    for (int i = 0; i < names.size(); i++) {
      List<String> row = i + 1 < rows.size() ? rows.get(i + 1) : List.of("");
      if (!row.get(0).equals(names.get(i)) || row.size() != names.size() + 1) {
        throw new IllegalArgumentException(
            "row %d is not that of %s with %d figures".formatted(i, names.get(i), names.size()));
      }
      millis.add(
          row.subList(1, row.size()).stream()
              .map(RegionMatrix::positive)
              .collect(ImmutableList.toImmutableList()));
    }
    return new RegionMatrix(names, millis.build());
  }

  private static Double positive(String figure) {
    double number = Double.parseDouble(figure);
    if (!(number > 0 && number < 10_000)) {
      throw new IllegalArgumentException("a round trip of %s ms".formatted(figure));
    }
    return number;
  }

  /** How long a message takes from one to another, if all goes well. */
  double oneWayNanos(int from, int to) {
    return millis.get(from).get(to) / 2 * NANOS_PER_MILLI;
  }

  double longestMillis() {
    return millis.stream()
        .flatMap(ImmutableList::stream)
        .mapToDouble(Double::doubleValue)
        .max()
        .orElseThrow();
  }
}
