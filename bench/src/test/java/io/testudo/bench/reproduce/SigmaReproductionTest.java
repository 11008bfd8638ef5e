package io.testudo.bench.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.node.CommandException;
import io.testudo.node.SimulateCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command with short runs. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SigmaReproductionTest {
  private final StringWriter out = new StringWriter();
  private final AtomicReference<String> failure = new AtomicReference<>("");

  private int run(String... arguments) {
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(new StringWriter(), true))
        .setExecutionExceptionHandler(
            (e, line, parsed) -> {
              failure.set(e instanceof CommandException ? String.valueOf(e.getMessage()) : "" + e);
              return e instanceof CommandException told ? told.exitCode() : 1;
            })
        .execute(arguments);
  }

  private List<JsonObject> rows(String table) {
    return out.toString()
        .lines()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .filter(row -> row.get("table").getAsString().equals(table))
        .toList();
  }

  @Test
  void printsAllClaimsBesideWhatHolds(@TempDir Path directory) throws Exception {
    Path figures = directory.resolve("figures");
    int code =
        run("--protocol", "sigma", "--reproduce", "--quick", "--json", "--out", "" + figures);

    assertThat(code).describedAs(failure.get() + out).isZero();
    assertThat(rows("saturation"))
        .hasSize(12)
        .filteredOn(row -> row.get("requestsPerSecond").getAsDouble() == 8)
        .hasSize(3)
        .allSatisfy(
            row -> {
              double theory = row.get("theory").getAsDouble();
              assertThat(row.get("measured").getAsDouble()).isBetween(0.97 * theory, 1.03 * theory);
              assertThat(row.get("holds").getAsBoolean()).isTrue();
            });
    assertThat(rows("collapse")).hasSize(15);
    assertThat(rows("uncontended"))
        .filteredOn(row -> row.get("figure").getAsString().equals("messagesPerEntry"))
        .hasSize(3)
        .allMatch(row -> row.get("measured").getAsDouble() == 3 * 32);
    assertThat(rows("busy")).hasSize(1);
    assertThat(rows("waiters"))
        .hasSize(4)
        .allMatch(row -> row.get("measured").getAsDouble() <= 5 * 32);
    assertThat(rows("server-life")).hasSize(6);
    assertThat(rows("exclusion")).hasSize(6);
    for (String name : List.of("throughput", "server-life", "exclusion")) {
      assertThat(Files.readString(figures.resolve("sigma-" + name + ".svg"))).startsWith("<svg");
    }
  }

  @Test
  void saysWhatItCannotReproduce() {
    assertThat(run("--protocol", "ping", "--reproduce")).isEqualTo(2);
    assertThat(failure.get())
        .isEqualTo("Nothing is reproduced of ping here: choose from dht, sigma.");
    assertThat(run("--protocol", "sigma", "--quick")).isEqualTo(2);
    assertThat(failure.get()).contains("belong to --reproduce");
  }

  @Test
  void aClaimThatDoesNotHoldIsSeen() {
    Table table = new Table("saturation", "", "");
    assertThat(table.row("sigma", "entriesPerSecond", 3).holds(true)).isEqualTo("holds");
    assertThat(table.holds()).isTrue();
    table.row("sigma", "entriesPerSecond", 3).shown();
    assertThat(table.holds()).isTrue();
    assertThat(table.row("sigma", "entriesPerSecond", 3).holds(false)).isEqualTo("DIFFERS");
    assertThat(table.holds()).isFalse();
  }
}
