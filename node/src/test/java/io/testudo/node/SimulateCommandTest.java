package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int simulate(String... args) {
    List<String> words = new ArrayList<>(List.of("simulate"));
    words.addAll(List.of(args));
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
  }

  @Test
  void findsNothingBrokenWithinTheBound() {
    assertThat(simulate("--protocol", "ping", "--scenarios", "50")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("ping, mode ping: 4 servers, b=1, of which 1 lie", "No promise was broken.");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void findsWhatIsBrokenBeyondTheBoundAndSaysHowToSeeItAgain() {
    assertThat(simulate("--protocol", "ping", "--liars", "2", "--scenarios", "60"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern("scenarios broke a promise \\(safety \\d+, .*, as they must:")
        .containsPattern(
            "replay: ./testudo simulate --protocol ping --servers 4 --byzantine 1 --liars 2 --seed"
                + " \\d+ --scenarios 1 --trace");
  }

  @Test
  void runsRingsOfADistributedHashTable() {
    assertThat(
            simulate(
                "--protocol", "dht", "--backend", "e2e", "--routing", "ring", "--scenarios", "2"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains(
            "e2e on ring routing: 5 replicas of which 4 must vote, 2 forget during a hold",
            "No promise was broken.");
    assertThat(
            simulate(
                "--protocol",
                "dht",
                "--replicas",
                "3",
                "--votes",
                "2",
                "--scenarios",
                "1",
                "--json"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("\"backend\":\"sigma-dht\",\"routing\":\"prefix\",\"replicas\":3,\"votes\":2");
  }

  @Test
  void failsIfTheCheckersDoNotFireBeyondTheBound() {
    // A false clock means nothing to the ping, so even two of them break nothing; and that two
    // silent servers stop a cluster of four proves nothing of the checkers.
    assertThat(
            simulate(
                "--protocol",
                "ping",
                "--liars",
                "2",
                "--liar-kinds",
                "false-clock",
                "--scenarios",
                "5"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("the checkers had to fire, and did not.");
    assertThat(
            simulate(
                "--protocol", "ping", "--liars", "2", "--liar-kinds", "silent", "--scenarios", "5"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("but safety had to break, and nothing else:");
  }

  @Test
  void letsServersForgetWithinTheirBoundAndBeyondIt() {
    assertThat(simulate("--protocol", "sigma", "--scenarios", "30")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("sigma, mode sigma: 4 servers, f=1, of which 0 lie, 1 forget");
    assertThat(simulate("--protocol", "sigma", "--resets", "2", "--scenarios", "300"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("2 forgetful servers are more than the 1 that the cluster tolerates")
        .containsPattern("replay: .* --resets 2 --seed \\d+ --scenarios 1 --trace");
    assertThat(
            simulate(
                "--protocol",
                "sigma",
                "--resets",
                "4",
                "--quarantine",
                "--scenarios",
                "30",
                "--json"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("\"resets\":4,\"quarantine\":true");
  }

  @Test
  void letsLiarsHaveTheKeysOfAClientWhichBreaksPromisesOnlyIfTheyAreShared() {
    String[] stolen = {
      "--protocol", "ordering", "--stolen-key", "--liar-kinds", "wild-number", "--scenarios", "5"
    };
    assertThat(simulate(stolen)).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("seals hmac, turns by rank: 4 servers, b=1, of which 1 lie and have")
        .contains("liars with a key that all clients share can speak for each of them: ")
        .containsPattern("replay: .* --stolen-key --seed \\d+ --scenarios 1 --trace");
    assertThat(
            simulate(
                Stream.concat(Stream.of(stolen), Stream.of("--seals", "ed25519", "--json"))
                    .toArray(String[]::new)))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("\"seals\":\"ed25519\",\"stolenKey\":true", "\"violations\":0");
  }

  @Test
  void refusesSealsWhereThereAreNone() {
    assertThat(simulate("--protocol", "ordering", "--mode", "plain", "--seals", "hmac"))
        .isNotEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("No client seals anything in mode plain of ordering");
    assertThat(simulate("--protocol", "ping", "--stolen-key")).isNotEqualTo(ExitCode.OK);
    assertThat(simulate("--protocol", "ordering", "--seals", "rsa")).isNotEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("There are no seals rsa: choose hmac or ed25519.");
  }

  @Test
  void exposesRunsToWhatTheProtocolMustBearUnlessTheyAreToShowSomethingElse() {
    assertThat(simulate("--protocol", "backoff", "--scenarios", "12", "--liar-kinds", "silent"))
        .isEqualTo(ExitCode.OK);
    assertThat(simulate("--protocol", "backoff", "--scenarios", "12", "--hazards", "none"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).doesNotContain("far clock");
    assertThat(simulate("--protocol", "backoff", "--scenarios", "12")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("far clock");
  }

  @Test
  void refusesResetsWhereServersHaveADisk() {
    assertThat(simulate("--protocol", "ping", "--resets", "1")).isNotEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("The servers of ping have a disk");
    assertThat(simulate("--protocol", "sigma", "--resets", "5")).isNotEqualTo(ExitCode.OK);
    assertThat(err.toString()).contains("--resets must be from 0 to the 4 servers");
  }

  @Test
  void keepsTheOutputContract() {
    assertThat(simulate("--protocol", "ping", "--liars", "2", "--scenarios", "60", "--json"))
        .isEqualTo(ExitCode.OK);
    JsonObject row = JsonParser.parseString(out.toString()).getAsJsonObject();
    assertThat(row.keySet())
        .contains(
            "protocol",
            "mode",
            "servers",
            "byzantine",
            "liars",
            "scenarios",
            "steps",
            "faults",
            "violations",
            "seconds",
            "firstFailingSeed");
    assertThat(row.get("scenarios").getAsLong()).isEqualTo(60);
    assertThat(row.get("violations").getAsLong()).isPositive();
    assertThat(row.getAsJsonObject("faultsByKind").keySet()).contains("crashAtWrite");
  }

  private String digest(String firstSeed, String threads) {
    out.getBuffer().setLength(0);
    simulate(
        "--protocol",
        "ping",
        "--scenarios",
        "3",
        "--json",
        "--seed",
        firstSeed,
        "--threads",
        threads);
    return JsonParser.parseString(out.toString())
        .getAsJsonObject()
        .get("messagesDigest")
        .getAsString();
  }

  @Test
  void digestsWhatWasSentHoweverRunsAreSpreadOverThreads() {
    assertThat(digest("1", "1")).isEqualTo(digest("1", "3")).isNotEqualTo(digest("2", "1"));
  }

  @Test
  void leavesOutWhatDoesNotApply() {
    simulate("--protocol", "ping", "--scenarios", "5", "--json");
    assertThat(JsonParser.parseString(out.toString()).getAsJsonObject().keySet())
        .doesNotContain("firstFailingSeed", "firstViolation", "replay");
  }

  @Test
  void tellsTheSameStoryOfTheSameSeed() {
    String[] args = {"--protocol", "ping", "--seed", "17", "--scenarios", "1", "--trace"};
    assertThat(simulate(args)).isEqualTo(ExitCode.OK);
    String story = out.toString();
    out.getBuffer().setLength(0);
    assertThat(simulate(args)).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).isEqualTo(story).contains("all is well from now on");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--protocol pong | There is no protocol pong: choose one of backoff (clients lock",
        "--protocol ping --mode fast | ping has no mode fast: choose one of ping.",
        "--protocol ping --servers 3 | b=1 in mode ping needs 4 servers, 3 are configured.",
        "--protocol ping --liars 5 | --liars must be from 0 to the 4 servers.",
        "--protocol ping --liar-kinds always-free | ping knows no lie always-free: choose from",
        "--protocol ping --scenarios 0 | There is nothing to run: give a positive number",
        "--protocol ping --scenarios 1 --minutes 1 | --scenarios and --minutes exclude each other",
        "--protocol ping --threads 0 | --threads must be from 1 to 256.",
        "--protocol ping --minutes NaN | There is nothing to run: give a positive number",
        "--protocol dht --backend what | There is no backend what: choose one of sigma-dht, sigma",
        "--protocol dht --routing star | --routing is prefix or ring, not star.",
        "--protocol dht --resets 6 | --resets must be from 0 to the 5 replicas.",
        "--protocol ping --routing ring | --backend, --routing, --replicas and --votes belong to",
        "--protocol ping --trace | --trace tells one run to people: add --scenarios 1, no --json.",
      })
  void saysInOneLineWhatIsWrong(String args, String message) {
    assertThat(simulate(args.split(" "))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString().lines()).singleElement().asString().contains(message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void runsForATimeInsteadOfACount() {
    // However short the time, or slow the machine, there is one run.
    assertThat(simulate("--protocol", "ping", "--minutes", "0.0000001", "--json"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("\"violations\":0").doesNotContain("\"scenarios\":0");
  }
}
