package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.ResetRisk;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviseCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int advise(String arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        ("advise " + arguments).split(" +"));
  }

  private List<JsonObject> rows(String arguments) {
    assertThat(advise(arguments + " --json")).describedAs(err.toString()).isZero();
    return out.toString()
        .lines()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }

  private static JsonObject only(List<JsonObject> rows, String backend, String mode) {
    return rows.stream()
        .filter(row -> row.get("backend").getAsString().equals(backend))
        .filter(row -> row.get("mode").getAsString().equals(mode))
        .findFirst()
        .orElseThrow();
  }

  private static String recommended(List<JsonObject> rows) {
    List<JsonObject> chosen =
        rows.stream().filter(row -> row.get("recommended").getAsBoolean()).toList();
    assertThat(chosen).hasSize(1);
    return chosen.get(0).get("backend").getAsString();
  }

  @ParameterizedTest
  @CsvSource({
    "--servers 4 --byzantine 1 --rtt 2 --contenders 500 --hold 20, backoff", // Too risky.
    "--servers 32 --byzantine 1 --crash 4 --rtt 100 --hold 50, sigma", // Hardened.
    "--servers 32 --crash 8 --rtt 100 --contenders 500 --hold 50, sigma", // They come and go.
    "--servers 32 --rtt 100 --contenders 500 --hold 50, backoff", // They do not.
    "--servers 4 --crash 1 --rtt 100 --contenders 500 --hold 50, backoff", // Too risky.
    "--servers 4 --crash 1 --rtt 100 --contenders 500 --hold 50 --risk 1, sigma",
    "--servers 3 --crash 1 --rtt 100 --contenders 500 --hold 50 --risk 1, backoff", // Too few.
    "--servers 1000 --crash 9 --rtt 20 --hold 50, sigma-dht", // More than a cluster can have.
  })
  void takesTheBackendThatFits(String arguments, String backend) {
    assertThat(recommended(rows(arguments))).isEqualTo(backend);
  }

  /** A quorum must answer although liars keep silent and others are away. */
  @ParameterizedTest
  @CsvSource({"0,1,3", "1,0,4", "1,1,6", "1,2,8", "2,1,9", "2,3,13"})
  void knowsTheLeastClusterForLiarsAndOthersAtOnce(int liars, int away, int least) {
    String rest = " --byzantine %d --crash %d --rtt 1 --hold 1".formatted(liars, away);
    JsonObject row = only(rows("--servers " + least + rest), "backoff", "all-servers");
    assertThat(row.get("fits").getAsBoolean()).isTrue();
    assertThat(row.get("leastServers").getAsInt()).isEqualTo(least);
    assertThat(row.get("grants").getAsInt()).isLessThanOrEqualTo(least - liars - away);
    assertThat(advise("--servers " + (least - 1) + rest)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("%d servers".formatted(least));
  }

  @Test
  void predictsTimesAndMessages() {
    List<JsonObject> rows = rows("--servers 4 --rtt 20 --contenders 11 --hold 30 --crash 1");
    JsonObject sigma = only(rows, "sigma", "sigma");
    assertThat(sigma.get("aloneMillis").getAsDouble()).isEqualTo(20);
    assertThat(sigma.get("turnMillis").getAsDouble()).isEqualTo(50);
    assertThat(sigma.get("meanWaitMillis").getAsDouble()).isEqualTo(20 + 5 * 50);
    assertThat(sigma.get("longestWaitMillis").getAsDouble()).isEqualTo(20 + 10 * 50);
    // Five wait on average, and refresh every 500 ms.
    assertThat(sigma.get("messagesPerTurn").getAsDouble()).isEqualTo(16 + 2 * 4 * 5 * 0.1);
    assertThat(only(rows, "backoff", "all-servers").get("messagesPerTurn"))
        .isEqualTo(sigma.get("messagesPerTurn"));
  }

  @Test
  void computesTheRiskFromTheTimeThatServersAreOwnedAndTheirLife() {
    String arguments = "--servers 4 --crash 1 --rtt 1000 --contenders 2 --hold 4000";
    double risk = ResetRisk.amongGranters(SigmaProtocol.CRASHES.thresholds(4, 1), 6.0 / 500);
    JsonObject sigma = only(rows(arguments + " --server-life 500"), "sigma", "sigma");
    assertThat(sigma.get("exclusionRisk").getAsDouble()).isCloseTo(risk, within(risk * 1e-9));
    assertThat(only(rows(arguments), "backoff", "all-servers").get("exclusionRisk").getAsDouble())
        .isZero();
  }

  @Test
  void showsTheLinesToConfigure() {
    assertThat(advise("--servers 32 --crash 8 --rtt 300 --contenders 99 --hold 40000")).isZero();
    assertThat(out.toString())
        .contains(
            "Take sigma: servers come and go",
            String.join(
                System.lineSeparator(),
                "lock {",
                "  backend = sigma",
                "  crashes = 8",
                "  max-hold = 40000ms",
                "  delay = 300ms",
                "}"));
    assertThat(advise("--servers 4 --byzantine 1 --rtt 2 --hold 20")).isZero();
    assertThat(out.toString())
        .contains(
            "Take backoff: no server comes and goes",
            String.join(System.lineSeparator(), "lock {", "  backend = backoff", "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--servers 3 --byzantine 1 --rtt 1 --hold 1 | b=1 in mode all-servers needs 4 servers",
        "--servers 0 --rtt 1 --hold 1               | --servers must be from 1 to 100000",
        "--servers 4 --byzantine -1 --rtt 1 --hold 1| --byzantine must be from 0 to 64",
        "--servers 4 --crash 65 --rtt 1 --hold 1    | --crash must be from 0 to 64",
        "--servers 4 --rtt 0 --hold 1               | --rtt must be from 0.001 to 60000",
        "--servers 4 --rtt NaN --hold 1             | --rtt must be from 0.001 to 60000",
        "--servers 4 --rtt 1 --hold -1              | --hold must be from 0 to 86400000",
        "--servers 4 --rtt 1 --hold 1 --contenders 0| --contenders must be from 1 to 1000000",
        "--servers 4 --rtt 1 --hold 1 --risk 2      | --risk must be from 0 to 1",
        "--servers 4 --byzantine 40 --rtt 1 --hold 1| needs 121 servers",
      })
  void saysWhyNothingFits(String arguments, String reason) {
    int expected = reason.startsWith("--") ? ExitCode.USAGE : ExitCode.FAILED;
    assertThat(advise(arguments)).isEqualTo(expected);
    assertThat(err.toString()).contains(reason);
    assertThat(out.toString()).isEmpty();
  }

  /** One member may have several replicas of a lock, and those that come reset them, too. */
  @Test
  void computesTheRiskOfARingFromItsMembers() {
    String arguments = "--servers 100 --rtt 1000 --contenders 2 --hold 4000 --server-life 500";
    double risk =
        ResetRisk.amongGranters(SigmaProtocol.CRASHES.thresholds(5, 1, 4), 100, 2 * 6.0 / 500);
    JsonObject ring = only(rows(arguments), "sigma-dht", "sigma");
    assertThat(ring.get("exclusionRisk").getAsDouble()).isCloseTo(risk, within(risk * 1e-9));
  }

  @Test
  void tellsNobodyToTakeALockWithoutTokens() {
    List<JsonObject> rows = rows("--servers 1000 --rtt 20 --hold 50");
    assertThat(only(rows, "e2e", "sigma").get("fits").getAsBoolean()).isFalse();
    assertThat(only(rows, "non-e2e", "sigma").get("fits").getAsBoolean()).isFalse();
    assertThat(only(rows, "zone", "sigma").get("fits").getAsBoolean()).isFalse();
    assertThat(advise("--servers 1000 --byzantine 1 --rtt 20 --hold 50"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("may not lie", "less than 50 % of the space");
  }
}
