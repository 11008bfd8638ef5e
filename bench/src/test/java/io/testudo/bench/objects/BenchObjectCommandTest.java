package io.testudo.bench.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.testudo.bench.CommandRunner;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command with rounds of a moment. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BenchObjectCommandTest {
  private static final String SHORT = " --rounds 1 --seconds 0.2 --warm-up 0.1 --json";

  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();
  @TempDir private Path directory;

  private final CommandRunner command = new CommandRunner("object");

  private List<JsonObject> run(String arguments) {
    assertThat(command.run(arguments)).describedAs(command.failure()).isZero();
    return command.rows();
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void measuresEachJournalBesideThePingAndTheFloor() throws IOException {
    List<JsonObject> rows =
        run(
            "--mode sealed-statements --journal off,nosync,sync --sharing shared --clients 3"
                + " --directory "
                + directory
                + SHORT);

    assertThat(rows)
        .extracting(
            row ->
                row.get("case").getAsString()
                    + " "
                    + row.get("mode").getAsString()
                    + (row.has("journal") ? " " + row.get("journal").getAsString() : ""))
        .containsExactly(
            "ping floor",
            "ping hmac",
            "increment sealed-statements off",
            "increment sealed-statements nosync",
            "increment sealed-statements sync");
    JsonObject row = rows.get(2);
    assertThat(row.get("bench").getAsString()).isEqualTo("object");
    assertThat(row.get("system").getAsString()).isEqualTo("testudo");
    assertThat(row.get("seals").getAsString()).isEqualTo("hmac");
    assertThat(row.get("sharing").getAsString()).isEqualTo("shared");
    assertThat(row.get("servers").getAsInt()).isEqualTo(4);
    assertThat(row.get("byzantine").getAsInt()).isEqualTo(1);
    assertThat(row.get("clients").getAsInt()).isEqualTo(3);
    assertThat(row.get("floorOpsPerSecond")).isEqualTo(rows.get(0).get("opsPerSecond"));
    assertThat(row.get("pingP50Micros")).isEqualTo(rows.get(1).get("p50Micros"));
    assertThat(row.get("messagesPerOperation").getAsDouble()).isPositive();
    assertThat(row.get("bytesPerOperation").getAsDouble()).isGreaterThan(50);
    assertNothingIsLeft();
  }

  @Test
  void takesTheLeastServersForEachModeAndClientsOfTheirOwnSession() {
    List<JsonObject> rows =
        run("--mode plain,sealed-ranks --journal off --sharing separate --clients 2" + SHORT);

    assertThat(rows)
        .filteredOn(row -> row.get("case").getAsString().equals("increment"))
        .extracting(
            row -> row.get("mode").getAsString() + " of " + row.get("servers").getAsString())
        .containsExactly("sealed-ranks of 5", "plain of 7");
    assertThat(rows.get(2).get("sharing").getAsString()).isEqualTo("separate");
    assertThat(rows.get(5).has("seals")).isFalse();
  }

  @Test
  void measuresClientsThatSign() {
    List<JsonObject> rows =
        run(
            "--mode sealed-statements --seals ed25519 --journal off --sharing separate --clients 2"
                + SHORT);

    assertThat(rows).hasSize(3);
    assertThat(rows.get(2).get("seals").getAsString()).isEqualTo("ed25519");
    assertThat(rows.get(2).get("opsPerSecond").getAsDouble()).isPositive();
  }

  @Test
  void tellsWhatManyOperationsLeaveBehind() throws IOException {
    List<JsonObject> rows =
        run(
            "--soak 400 --mode sealed-statements --journal nosync --sharing shared --clients 4,8"
                + " --state 5000 --json --directory "
                + directory);

    assertThat(rows).hasSize(21);
    JsonObject last = rows.get(20);
    assertThat(last.get("case").getAsString()).isEqualTo("soak");
    assertThat(last.get("operations").getAsLong()).isEqualTo(400);
    assertThat(last.get("clients").getAsInt()).isEqualTo(8);
    assertThat(last.get("stateBytes").getAsInt()).isEqualTo(5_000);
    assertThat(last.get("serverHeapBytes").getAsLong()).isPositive();
    assertThat(last.get("clientHeapBytes").getAsLong()).isPositive();
    assertThat(last.get("journalBytes").getAsLong())
        .isGreaterThan(rows.get(0).get("journalBytes").getAsLong());
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mode nonsense           | There is no mode nonsense: choose sealed-statements,",
        "--servers 0               | a cluster has 1 to 64 servers",
        "--servers 3               | 3 servers tolerate no liar in mode sealed-statements: take at"
            + " least",
        "--clients 0               | --clients must be from 1 to 1024",
        "--state -1                | --state must be from 0 to 1572856",
        "--soak 0                  | --soak must be from 1 to 1000000000000",
        "--directory /no/such/path | there is no directory /no/such/path",
        "--rounds 0                | --rounds must be from 1 to 1000",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(command.run(arguments)).isEqualTo(1);
    assertThat(command.failure()).contains(reason);
    assertThat(command.text()).isEmpty();
  }
}
