package io.testudo.bench.rings;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.Output;
import io.testudo.node.Reproduction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** All tables and plots, of tiny rings. */
class RingReproductionTest {
  private static final RingPlan TINY =
      new RingPlan(
          1,
          ImmutableList.of(40, 80),
          40,
          40,
          ImmutableList.of(0, 4),
          ImmutableList.of(0, 1_000),
          3,
          ImmutableList.of(0),
          ImmutableList.of(75));

  @Command
  private static final class Tiny implements Callable<Integer> {
    private final Path figures;
    @Mixin private final Output output = new Output();

    Tiny(Path figures) {
      this.figures = figures;
    }

    @Override
    public Integer call() throws Exception {
      boolean unused =
          new RingReproduction()
              .run(TINY, new Reproduction.Settings(true, 1, Optional.of(figures)), output);
      return 0;
    }
  }

  @Test
  void givesEveryPointOfEveryTableAndPlotsThem(@TempDir Path directory) {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new Tiny(directory)).setOut(new PrintWriter(out, true)).execute("--json");

    assertThat(code).isZero();
    List<JsonObject> rows =
        out.toString().lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
    assertThat(rows).filteredOn(row -> isOf(row, "nodes")).hasSize(2 * 5 * (2 + 1 + 1));
    assertThat(rows).filteredOn(row -> isOf(row, "load")).hasSize(2 * 5 * 3);
    assertThat(rows).filteredOn(row -> isOf(row, "churn")).hasSize(2 * 5 * 2);
    assertThat(rows).filteredOn(row -> isOf(row, "life")).hasSize(2 * 2);
    assertThat(rows).filteredOn(row -> isOf(row, "holder dies")).hasSize(2 * 3);
    assertThat(rows).filteredOn(row -> isOf(row, "zone")).hasSize(4 + 1 + 2);
    assertThat(rows)
        .filteredOn(row -> row.has("mutexMessages"))
        .allSatisfy(
            row -> {
              assertThat(row.get("mutexMessages").getAsDouble()).isPositive();
              assertThat(row.get("entries").getAsDouble()).isPositive();
            });
    assertThat(directory).isDirectoryContaining("glob:**dht-nodes-ring.svg");
    assertThat(directory).isDirectoryContaining("glob:**dht-load-prefix.svg");
    assertThat(directory)
        .isDirectoryContaining("glob:**dht-churn-ring.svg")
        .isDirectoryContaining("glob:**dht-life.svg")
        .isDirectoryContaining("glob:**dht-zone.svg");
  }

  private static boolean isOf(JsonObject row, String table) {
    return row.get("table").getAsString().equals(table);
  }
}
