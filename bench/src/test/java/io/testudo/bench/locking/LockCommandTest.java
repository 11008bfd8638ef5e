package io.testudo.bench.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.bench.BenchCommand;
import io.testudo.node.CommandException;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The whole command with rounds of a moment. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LockCommandTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  private final StringWriter out = new StringWriter();
  private final AtomicReference<String> failure = new AtomicReference<>("");

  private int run(String arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(new StringWriter(), true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, line, parsed) -> {
              failure.set(e instanceof CommandException ? String.valueOf(e.getMessage()) : "" + e);
              return 1;
            })
        .execute(("lock " + arguments).split(" "));
  }

  private List<JsonObject> rows() {
    return out.toString()
        .lines()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }

  @Test
  void measuresEachUseInEachModeBesideThePingAndTheFloor() {
    assertThat(run("--servers 6 --clients 2 --rounds 1 --seconds 0.02 --quick --json"))
        .describedAs(failure.get())
        .isZero();

    assertThat(rows())
        .extracting(row -> row.get("case").getAsString() + " " + row.get("mode").getAsString())
        .startsWith(
            "uncontended floor",
            "uncontended hmac",
            "uncontended all-servers",
            "uncontended all-servers",
            "uncontended quorums",
            "uncontended quorums",
            "contended floor")
        .hasSize(18);
    JsonObject parallel = rows().get(14);
    assertThat(parallel.get("case").getAsString()).isEqualTo("parallel");
    assertThat(parallel.get("bench").getAsString()).isEqualTo("lock");
    assertThat(parallel.get("use").getAsString()).isEqualTo("async");
    assertThat(parallel.get("clients").getAsInt()).isEqualTo(2);
    assertThat(parallel.get("locks").getAsInt()).isEqualTo(2);
    assertThat(parallel.get("byzantine").getAsInt()).isEqualTo(1);
    assertThat(parallel.get("pingOpsPerSecond")).isEqualTo(rows().get(13).get("opsPerSecond"));
    assertThat(parallel.get("floorOpsPerSecond")).isEqualTo(rows().get(12).get("opsPerSecond"));
    assertThat(rows().get(15).get("use").getAsString()).isEqualTo("blocking");
  }

  @Test
  void givesClientsConnectionsOfTheirOwnIfAsked() {
    assertThat(
            run(
                "--servers 4 --case contended --clients 3 --connections separate --rounds 1"
                    + " --seconds 0.02 --quick"))
        .describedAs(failure.get())
        .isZero();

    assertThat(out.toString().lines())
        .anyMatch(line -> line.contains("backoff all-servers async"))
        .anyMatch(line -> line.contains("backoff all-servers blocking"))
        .noneMatch(line -> line.contains("quorums"));
  }

  @Test
  void measuresBackendsBesideEachOtherWithTheCostOfAHandOff() {
    assertThat(
            run(
                "--backend backoff,sigma --servers 4 --case uncontended,contended --clients 3"
                    + " --rounds 1 --seconds 0.05 --quick --json"))
        .describedAs(failure.get())
        .isZero();

    List<JsonObject> contended =
        rows().stream()
            .filter(row -> row.get("case").getAsString().equals("contended"))
            .filter(row -> row.has("use"))
            .toList();
    assertThat(contended)
        .extracting(row -> row.get("backend").getAsString() + " " + row.get("use").getAsString())
        .containsExactly("backoff async", "backoff blocking", "sigma async", "sigma blocking");
    JsonObject sigma = contended.get(2);
    assertThat(sigma.get("byzantine").getAsInt()).isZero();
    assertThat(sigma.get("crashes").getAsInt()).isEqualTo(1);
    JsonObject barePing = rows().get(1);
    double bareMicros = barePing.get("p50Micros").getAsDouble();
    double handOffMicros = 1e6 / sigma.get("opsPerSecond").getAsDouble();
    assertThat(sigma.get("handOffMicros").getAsDouble())
        .isCloseTo(handOffMicros, within(0.05 * handOffMicros));
    assertThat(sigma.get("handOffRatioToBarePing").getAsDouble())
        .isCloseTo(handOffMicros / bareMicros, within(0.05 * handOffMicros / bareMicros));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mode nonsense | There is no mode nonsense: choose all-servers or quorums",
        "--servers 0     | a cluster has 1 to 64 servers",
        "--servers 3     | 3 servers bear no liar: take at least 4, or name a --mode",
        "--clients 1025  | --clients must be from 1 to 1024",
        "--rounds 0      | --rounds must be from 1 to 1000",
        "--seconds NaN   | --seconds must be from 0.001 to 3600",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(run(arguments)).isEqualTo(1);
    assertThat(failure.get()).contains(reason);
    assertThat(out.toString()).isEmpty();
  }
}
