package io.testudo.bench.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import io.testudo.bench.CommandRunner;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command with rounds of a moment. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BenchLockCommandTest {
  private static final String SHORT = " --rounds 1 --seconds 0.2 --warm-up 0.1";

  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  private final CommandRunner command = new CommandRunner("lock");

  @Test
  void measuresEachUseInEachModeBesideThePingAndTheFloor() {
    assertThat(command.run("--servers 6 --clients 2" + SHORT + " --json"))
        .describedAs(command.failure())
        .isZero();

    assertThat(command.rows())
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
    JsonObject parallel = command.rows().get(14);
    assertThat(parallel.get("case").getAsString()).isEqualTo("parallel");
    assertThat(parallel.get("bench").getAsString()).isEqualTo("lock");
    assertThat(parallel.get("use").getAsString()).isEqualTo("async");
    assertThat(parallel.get("clients").getAsInt()).isEqualTo(2);
    assertThat(parallel.get("locks").getAsInt()).isEqualTo(2);
    assertThat(parallel.get("byzantine").getAsInt()).isEqualTo(1);
    assertThat(parallel.get("pingOpsPerSecond"))
        .isEqualTo(command.rows().get(13).get("opsPerSecond"));
    assertThat(parallel.get("floorOpsPerSecond"))
        .isEqualTo(command.rows().get(12).get("opsPerSecond"));
    assertThat(command.rows().get(15).get("use").getAsString()).isEqualTo("blocking");
  }

  @Test
  void givesClientsConnectionsOfTheirOwnIfAsked() {
    assertThat(
            command.run("--servers 4 --case contended --clients 3 --connections separate" + SHORT))
        .describedAs(command.failure())
        .isZero();

    assertThat(command.text().lines())
        .anyMatch(line -> line.contains("backoff all-servers async"))
        .anyMatch(line -> line.contains("backoff all-servers blocking"))
        .noneMatch(line -> line.contains("quorums"));
  }

  @Test
  void measuresBackendsBesideEachOtherWithTheCostOfAHandOff() {
    assertThat(
            command.run(
                "--backend backoff,sigma --servers 4 --case uncontended,contended --clients 3"
                    + SHORT
                    + " --json"))
        .describedAs(command.failure())
        .isZero();

    List<JsonObject> contended =
        command.rows().stream()
            .filter(row -> row.get("case").getAsString().equals("contended"))
            .filter(row -> row.has("use"))
            .toList();
    assertThat(contended)
        .extracting(row -> row.get("backend").getAsString() + " " + row.get("use").getAsString())
        .containsExactly("backoff async", "backoff blocking", "sigma async", "sigma blocking");
    JsonObject sigma = contended.get(2);
    assertThat(sigma.get("byzantine").getAsInt()).isZero();
    assertThat(sigma.get("crashes").getAsInt()).isEqualTo(1);
    double bareMicros = sigma.get("barePingMicros").getAsDouble();
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
        "--servers 3     | 3 servers tolerate no liar: take at least 4, or name a --mode",
        "--clients 1025  | --clients must be from 1 to 1024",
        "--rounds 0      | --rounds must be from 1 to 1000",
        "--seconds NaN   | --seconds must be from 0.001 to 3600",
        "--warm-up -1    | --warm-up must be from 0 to 3600",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(command.run(arguments)).isEqualTo(1);
    assertThat(command.failure()).contains(reason);
    assertThat(command.text()).isEmpty();
  }
}
