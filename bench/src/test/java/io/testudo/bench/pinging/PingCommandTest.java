package io.testudo.bench.pinging;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.bench.BenchCommand;
import io.testudo.node.CommandException;
import io.testudo.node.Subcommand;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The whole command with rounds of a moment. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PingCommandTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicReference<String> failure = new AtomicReference<>("");

  @BeforeEach
  void forgets() {
    FakePings.STARTED.clear();
  }

  private int run(String arguments) {
    BenchCommand command =
        ServiceLoader.load(Subcommand.class).stream()
            .filter(provider -> provider.type().equals(BenchCommand.class))
            .map(provider -> (BenchCommand) provider.get())
            .findFirst()
            .orElseThrow();
    return new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, line, parsed) -> {
              failure.set(e instanceof CommandException ? String.valueOf(e.getMessage()) : "" + e);
              return 1;
            })
        .execute(arguments.split(" "));
  }

  private List<JsonObject> rows() {
    return out.toString()
        .lines()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }

  @Test
  void printsARowForEachModeAndNumberOfClients() {
    assertThat(
            run(
                "ping --servers 4 --clients 1,2 --mode fake,floor --rounds 1 --seconds 0.2"
                    + " --warm-up 0.1 --json"))
        .isZero();

    assertThat(rows())
        .extracting(row -> row.get("mode").getAsString() + row.get("clients").getAsInt())
        .containsExactly("floor1", "fake1", "floor2", "fake2");
    JsonObject fake = rows().get(1);
    assertThat(fake.get("case").getAsString()).isEqualTo("ping");
    assertThat(fake.get("system").getAsString()).isEqualTo("testudo");
    assertThat(fake.get("byzantine").getAsInt()).isEqualTo(1);
    assertThat(fake.get("floorOpsPerSecond")).isEqualTo(rows().get(0).get("opsPerSecond"));
    assertThat(FakePings.STARTED).hasSize(1);
  }

  @Test
  void awaitsAllAnswersOnSeparateConnectionsIfAsked() {
    assertThat(
            run(
                "ping --servers 6 --clients 2 --mode fake --rounds 1 --seconds 0.2 --warm-up 0.1"
                    + " --await all --connections separate --rate 500 --json"))
        .isZero();

    // The floor is measured, but was not asked for.
    JsonObject row = rows().get(0);
    assertThat(rows()).hasSize(1);
    assertThat(row.get("answersAwaited").getAsInt()).isEqualTo(6);
    assertThat(row.get("connections").getAsString()).isEqualTo("separate");
    assertThat(row.get("loop").getAsString()).isEqualTo("open");
    assertThat(row.get("offeredPerSecond").getAsDouble()).isEqualTo(500);
    assertThat(row.has("floorP50Micros")).isTrue();
    assertThat(FakePings.STARTED).extracting(PingSetup::answersAwaited).containsExactly(6);
  }

  @Test
  void awaitsAQuorumUnlessTold() {
    assertThat(
            run("ping --servers 6 --clients 1 --mode fake --rounds 1 --seconds 0.2 --warm-up 0.1"))
        .isZero();
    assertThat(FakePings.STARTED).extracting(PingSetup::answersAwaited).containsExactly(5);
    assertThat(out.toString().lines().toList().get(1)).startsWith("servers clients  system");
    assertThat(out.toString().lines().toList().get(2)).contains("testudo fake");
  }

  @Test
  void saysWhyAMeasurementBrokeOff() {
    assertThat(
            run(
                "ping --servers 4 --clients 1 --mode fake-failing --rounds 1 --seconds 0.02"
                    + " --quick"))
        .isEqualTo(1);
    assertThat(failure.get())
        .contains("testudo fake-failing: an operation failed: no quorum answers");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mode nonsense | There is no mode nonsense: choose from floor",
        "--servers 0     | a cluster has 1 to 64 servers",
        "--clients 0     | --clients must be from 1 to 1024",
        "--clients 1025  | --clients must be from 1 to 1024",
        "--rounds 0      | --rounds must be from 1 to 1000",
        "--seconds 0     | --seconds must be from 0.001 to 3600",
        "--seconds NaN   | --seconds must be from 0.001 to 3600",
        "--rate 0        | --rate must be above 0",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(run("ping " + arguments)).isEqualTo(1);
    assertThat(failure.get()).contains(reason);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void listsItsCommandsIfNoneIsAsked() {
    assertThat(new CommandLine(new BenchCommand()).setOut(new PrintWriter(out, true)).execute())
        .isEqualTo(2);
    assertThat(out.toString()).contains("Commands:", "ping", "Examples:");
  }
}
