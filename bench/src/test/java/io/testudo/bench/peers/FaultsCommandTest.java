package io.testudo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.testudo.bench.CommandRunner;
import io.testudo.bench.driver.HarmPlan;
import io.testudo.bench.driver.ServerHarm;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.peers.HarmCases.HarmCase;
import io.testudo.bench.peers.HarmCases.Subject;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FaultsCommandTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  @TempDir private Path directory;

  private final CommandRunner command = new CommandRunner("faults");

  @Test
  void measuresTestudoWithAServerThatLies() throws Exception {
    Path folder = directory.resolve("out");
    int code =
        command.run(
            "--only testudo --harm lie --callers 2 --before 3 --during 0.3 --after 0.3"
                + " --warm-up 0.1 --json --out "
                + folder);

    assertThat(code).describedAs(command.failure() + command.text()).isZero();
    assertThat(command.rows())
        .extracting(row -> row.get("case").getAsString() + " " + row.get("harm").getAsString())
        .containsExactly("lock lie", "increment lie");
    for (JsonObject row : command.rows()) {
      assertThat(row.get("opsPerSecondBefore").getAsDouble()).isPositive();
      assertThat(row.get("violations").getAsInt()).isZero();
      assertThat(row.get("hung").getAsInt()).isZero();
    }
    assertThat(Files.readString(folder.resolve("results.json")))
        .contains("\"timeline\"", "breaks no promise");
    assertThat(Files.readString(folder.resolve("index.html"))).contains("rate : before");
  }

  /** With a driver that is a fake, whose server is a real process. */
  @ParameterizedTest
  @EnumSource(
      value = ServerHarm.class,
      names = {"KILL", "STOP", "LAG"})
  void harmsAServerOfAnySystem(ServerHarm harm) throws Exception {
    HarmPlan plan = new HarmPlan(harm, 50, 4, 4, 20_000_000);
    Peer sound = FakePeers.driven("sound", "none");
    try (RunGuard guard = RunGuard.in(directory);
        HarmRun run = run(guard)) {
      for (Subject subject : Subject.values()) {
        HarmRun.Outcome outcome = run.run(new HarmCase(sound, harm, subject.work(2)), plan);
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.version()).isEqualTo("Fake 1.0");
        assertThat(outcome.figures()).isNotNull();
      }
    }
    assertNothingIsLeft();
  }

  @Test
  void tellsWhySystemsCouldNotBeMeasuredAndGoesOn() throws Exception {
    HarmPlan plan = new HarmPlan(ServerHarm.STOP, 100, 2, 2, 10_000_000);
    try (RunGuard guard = RunGuard.in(directory);
        HarmRun run = run(guard)) {
      assertThat(failure(run, plan, "dies-at", "harm")).contains("ended with 7");
      assertThat(failure(run, plan, "babbles-at", "harm")).contains("which means nothing");
      assertThat(failure(run, plan, "dies-at", "start")).contains("these are my last words");
      assertThat(
              run.run(
                      new HarmCase(
                          FakePeers.driven("sound", "none"), ServerHarm.STOP, Subject.LOCK.work(1)),
                      plan)
                  .failure())
          .isNull();
    }
    assertNothingIsLeft();
  }

  private static String failure(HarmRun run, HarmPlan plan, String... arguments) throws Exception {
    return String.valueOf(
        run.run(
                new HarmCase(
                    FakePeers.driven("odd", arguments), ServerHarm.STOP, Subject.LOCK.work(1)),
                plan)
            .failure());
  }

  private static HarmRun run(RunGuard guard) {
    return new HarmRun(
        new DriverCommands(Path.of("none"), program -> false),
        guard,
        PeerRun.Patience.standard(),
        1_000_000,
        OtherLoad.ofThisMachine(),
        TerminalProgress.onTerminal());
  }

  private void assertNothingIsLeft() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void harmsEachSystemAsItCanBeHarmed() {
    List<HarmCase> cases =
        HarmCases.of(
            Peers.STANDARD,
            EnumSet.allOf(ServerHarm.class),
            EnumSet.allOf(Subject.class),
            8,
            "stale");

    assertThat(cases)
        .filteredOn(one -> one.harm() == ServerHarm.LIE)
        .extracting(one -> one.peer().name())
        .containsExactly("testudo", "testudo");
    assertThat(cases)
        .filteredOn(one -> one.harm() == ServerHarm.LIE)
        .allSatisfy(
            one -> assertThat(one.peer().driver().arguments()).containsExactly("liar", "stale"));
    assertThat(cases)
        .filteredOn(one -> one.harm() == ServerHarm.KILL)
        .extracting(one -> one.peer().name())
        .doesNotContain("testudo-memory")
        .contains("redis", "etcd", "jgroups-raft");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--only postgres       | There is no system postgres: choose from testudo",
        "--only bft-smart      | or say where it is by --bft-smart DIR",
        "--only zookeeper      | None of the systems that were asked for can be measured",
        "--callers 0           | --callers must be from 1 to 64",
        "--lie blush           | --lie: there is no kind blush: choose from equivocate, stale",
        "--before 0            | --before must be from 0.1 to 300",
        "--after 1000          | --after must be from 0.1 to 300",
        "--warm-up -1          | --warm-up must be from 0.0 to 300",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(command.run(arguments)).isEqualTo(1);
    assertThat(command.failure()).contains(reason);
    assertThat(command.text()).isEmpty();
  }
}
