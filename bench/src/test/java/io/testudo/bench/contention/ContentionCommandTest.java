package io.testudo.bench.contention;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.bench.BenchCommand;
import io.testudo.node.CommandException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ContentionCommandTest {
  private final StringWriter out = new StringWriter();
  private final AtomicReference<String> failure = new AtomicReference<>("");

  private int run(String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, line, parsed) -> {
              failure.set(e instanceof CommandException ? String.valueOf(e.getMessage()) : "" + e);
              return 1;
            })
        .execute(arguments);
  }

  private int run(String arguments) {
    return run(("contention " + arguments).split(" "));
  }

  private List<JsonObject> rows() {
    return out.toString()
        .lines()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }

  @Test
  void printsARowForEachVariantAndNumberOfContendersAndPopulation() {
    assertThat(run("--contenders 1,4 --variants plain,constant --seeds 3 --idle 0,10 --json"))
        .isZero();

    assertThat(rows())
        .extracting(
            row ->
                row.get("case").getAsString()
                    + " "
                    + row.get("variant").getAsString()
                    + " "
                    + row.get("clients").getAsInt()
                    + " "
                    + row.get("idleClients").getAsInt())
        .containsExactly(
            "amortised plain 1 0",
            "amortised plain 4 0",
            "amortised constant 1 0",
            "amortised constant 4 0",
            "population plain 1 0",
            "population plain 4 0",
            "population plain 1 10",
            "population plain 4 10");
    JsonObject plain = rows().get(1);
    assertThat(plain.get("bench").getAsString()).isEqualTo("contention");
    assertThat(plain.get("servers").getAsInt()).isEqualTo(4);
    assertThat(plain.get("seeds").getAsInt()).isEqualTo(3);
    assertThat(plain.get("overlaps").getAsInt()).isZero();
    assertThat(plain.has("persistentClient")).isFalse();
    assertThat(plain.get("amortisedUnits").getAsDouble())
        .isBetween(
            plain.get("amortisedUnitsLow").getAsDouble(),
            plain.get("amortisedUnitsHigh").getAsDouble());
    assertThat(rows().get(7).get("amortisedUnits")).isEqualTo(rows().get(5).get("amortisedUnits"));
  }

  @Test
  void showsPeopleATable() {
    assertThat(run("--contenders 1,2 --variants returning-persists --seeds 2 --quick")).isZero();

    assertThat(out.toString().lines())
        .hasSize(8)
        .anyMatch(line -> line.startsWith("contenders"))
        .anyMatch(line -> line.startsWith("returning-persists"))
        .anyMatch(line -> line.startsWith("  its own mean wait"));
  }

  @Test
  void writesTheCurvesAsFigures(@TempDir Path directory) throws Exception {
    assertThat(
            run(
                "contention",
                "--contenders=1,2,4",
                "--variants=plain,standard",
                "--seeds=2",
                "--idle=10",
                "--plot=" + directory.resolve("figures")))
        .isZero();

    String plain = Files.readString(directory.resolve("figures/contention-plain.svg"));
    assertThat(plain).startsWith("<svg ").contains("log2 2m", "contenders m");
    assertThat(Files.readString(directory.resolve("figures/contention-population.svg")))
        .contains("standard, 10 idle");
  }

  @Test
  void asksQuorumsIfTold() {
    assertThat(run("--servers 6 --mode quorums --contenders 2 --variants plain --quick --json"))
        .isZero();
    assertThat(rows().get(0).get("mode").getAsString()).isEqualTo("quorums");
  }

  private static final List<String> OBJECT_FIELDS =
      List.of(
          "bench",
          "case",
          "mode",
          "turns",
          "servers",
          "byzantine",
          "clients",
          "readers",
          "roundTripMillis",
          "thinkMillis",
          "opsPerRoundTrip",
          "p50RoundTrips",
          "p99RoundTrips",
          "maxRoundTrips",
          "messagesPerOperation");

  @Test
  void printsARowForEachCombinationOfAnObject() {
    assertThat(run("--object --quick --clients 1,2 --round-trip 0.1,1 --readers 0,1 --json"))
        .isZero();

    assertThat(rows())
        .extracting(
            row ->
                row.get("clients").getAsInt()
                    + " "
                    + row.get("readers").getAsInt()
                    + " "
                    + row.get("roundTripMillis").getAsDouble())
        .containsExactly(
            "1 0 0.1", "2 0 0.1", "1 0 1.0", "2 0 1.0", "1 1 0.1", "2 1 0.1", "1 1 1.0", "2 1 1.0");
    assertThat(rows().get(0).keySet()).containsExactlyElementsOf(OBJECT_FIELDS);
    assertThat(rows().get(0).get("case").getAsString()).isEqualTo("object");
    assertThat(rows().get(0).get("mode").getAsString()).isEqualTo("sealed-statements");
    assertThat(rows().get(4).keySet())
        .containsAll(OBJECT_FIELDS)
        .contains("readP50RoundTrips", "readP99RoundTrips");
  }

  @Test
  void namesTheFaultOfAnObjectsServersAndClients() {
    assertThat(
            run(
                "--object --quick --clients 2 --round-trip 1 --mode plain --servers 13"
                    + " --fault none,silent,holderDies --json"))
        .isZero();

    assertThat(rows().get(0).has("fault")).isFalse();
    assertThat(rows().get(1).get("fault").getAsString()).isEqualTo("silent");
    assertThat(rows().get(2).get("fault").getAsString()).isEqualTo("holderDies");
    assertThat(rows())
        .allSatisfy(
            row -> {
              assertThat(row.get("servers").getAsInt()).isEqualTo(13);
              assertThat(row.get("byzantine").getAsInt()).isEqualTo(2);
              assertThat(row.get("maxRoundTrips").getAsDouble()).isPositive();
            });
  }

  @Test
  void showsPeopleATableOfAnObjectAndPlotsIt(@TempDir Path directory) throws Exception {
    assertThat(
            run(
                "contention",
                "--object",
                "--quick",
                "--clients=1,2",
                "--round-trip=1",
                "--plot=" + directory.resolve("figures")))
        .isZero();

    assertThat(out.toString().lines()).hasSize(3).first().asString().contains("p99 rtt");
    assertThat(
            Files.readString(
                directory.resolve("figures/contention-object-sealed-statements-p99.svg")))
        .startsWith("<svg ")
        .contains("round trip 1.0 ms");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--variants nonsense | There is no variant nonsense: choose from plain",
        "--mode nonsense     | There is no mode nonsense: choose all-servers or quorums",
        "--servers 0         | a cluster has 1 to 64 servers",
        "--contenders 0      | --contenders must be from 1 to 4096",
        "--idle 1000001      | --idle must be from 0 to 1000000",
        "--seeds 0           | --seeds must be from 1 to 10000",
        "--hold-millis 0     | --hold-millis must be from 0.001 to 60000",
        "--delta-millis NaN  | --delta-millis must be from 0.001 to 60000",
        "--load 0            | --load must be above 0",
        "--object --mode nonsense   | There is no mode nonsense of objects: choose from sealed-st",
        "--object --servers 0       | a cluster has 1 to 64 servers",
        "--object --clients 0       | --clients must be from 1 to 1024",
        "--object --readers -1      | --readers must be from 0 to 1024",
        "--object --round-trip 0    | --round-trip must be from 0.001 to 10000",
        "--object --think NaN       | --think must be from 0 to 10000",
        "--object --fault nonsense  | There is no fault nonsense: choose from none, equivocate",
        "--object --fault silent --servers 3 | So few --servers tolerate no liar",
        "--object --fault holderDies --clients 1 | there must be 2 --clients",
        "--object --seeds 0         | --seeds must be from 1 to 1000",
        "--object --contenders 4    | --contenders is of locks: leave it out or --object",
      })
  void refusesWhatItCannotSimulate(String arguments, String reason) {
    assertThat(run(arguments)).isEqualTo(1);
    assertThat(failure.get()).contains(reason);
    assertThat(out.toString()).isEmpty();
  }
}
