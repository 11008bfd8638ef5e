package io.testudo.bench.regions;

import com.google.common.collect.ImmutableList;
import io.testudo.node.CommandException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where servers are: in these regions by turns, so that the first ones have one more where there
 * are more servers than regions.
 */
record Placement(String name, ImmutableList<Integer> regions) {
  private static final ImmutableList<List<String>> STANDARD =
      ImmutableList.of(
          List.of("america", "washington", "toronto", "dallas", "montreal"),
          List.of("atlantic", "washington", "london", "toronto", "frankfurt", "madrid", "montreal"),
          List.of(
              "world",
              "washington",
              "frankfurt",
              "tokyo",
              "sao-paulo",
              "sydney",
              "london",
              "dallas"));

  static ImmutableList<Placement> standard(RegionMatrix matrix) {
    return STANDARD.stream()
        .map(words -> of(words.get(0), words.subList(1, words.size()), matrix))
        .collect(ImmutableList.toImmutableList());
  }

  /** By the names of regions. */
  static Placement of(String name, List<String> regions, RegionMatrix matrix) {
    for (String region : regions) {
      if (!matrix.names().contains(region)) {
        throw new CommandException(
            "There is no region %s: choose from %s."
                .formatted(region, String.join(", ", matrix.names())));
      }
    }
    return new Placement(
        name,
        regions.stream().map(matrix.names()::indexOf).collect(ImmutableList.toImmutableList()));
  }

  /** Where a server is. */
  int regionOf(int server) {
    return regions.get(server % regions.size());
  }

  /**
   * How long a client there waits at least for so many servers: one round trip to the nearest.
   *
   * @param quorum how many
   */
  double quorumRoundTripMillis(RegionMatrix matrix, int client, int servers, int quorum) {
    double[] trips =
        IntStream.range(0, servers)
            .map(this::regionOf)
            .mapToDouble(
                region ->
                    (matrix.millis().get(client).get(region)
                            + matrix.millis().get(region).get(client))
                        / 2)
            .toArray();
    Arrays.sort(trips);
    return trips[quorum - 1];
  }
}
