package io.testudo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.testudo.bench.CommandRunner;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.bench.measure.BenchClock;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PeersCommandTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  private final CommandRunner command = new CommandRunner("peers");

  @Test
  void measuresTestudoByADriverAsAllOthers() {
    assertThat(
            command.run(
                "--only testudo-memory --case uncontended,increment --use async --sharing shared"
                    + " --rounds 1 --seconds 0.05 --warm-up 0 --json"))
        .describedAs(command.failure() + command.text())
        .isZero();
    assertThat(command.rows())
        .extracting(row -> row.get("case").getAsString() + " " + row.get("clients").getAsInt())
        .containsExactly(
            "uncontended 1", "increment 1", "increment 8", "increment 32", "increment 64");
    JsonObject row = command.rows().get(0);
    assertThat(row.get("system").getAsString()).isEqualTo("testudo-memory");
    assertThat(row.get("faults").getAsString()).isEqualTo("1 liar");
    assertThat(row.get("opsPerSecond").getAsDouble()).isPositive();
  }

  @Test
  void listsAllSystemsAndWhatKeepsThemFromBeingMeasured() {
    assertThat(command.run("--list --json")).isZero();
    assertThat(command.rows())
        .extracting(row -> row.get("system").getAsString())
        .containsExactly(
            "testudo",
            "testudo-memory",
            "zookeeper",
            "hazelcast",
            "jgroups-raft",
            "ratis",
            "redis",
            "redlock",
            "etcd");
    JsonObject zookeeper = command.rows().get(2);
    assertThat(zookeeper.get("obstacle").getAsString()).contains("-Ppeers");
    assertThat(command.rows().get(0).has("obstacle")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--only postgres      | There is no system postgres: choose from testudo, testudo-memory",
        "--only zookeeper     | None of the systems that were asked for can be measured",
        "--bft-smart nowhere  | --bft-smart: there is no directory nowhere",
        "--rounds 0           | --rounds must be from 1 to 1000",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(command.run(arguments)).isEqualTo(1);
    assertThat(command.failure()).contains(reason);
    assertThat(command.text()).isEmpty();
  }

  @Test
  void refusesADirectoryThatIsNoBuildOfBftSmart(@TempDir Path build) throws Exception {
    assertThat(command.run("--bft-smart " + build)).isEqualTo(1);
    assertThat(command.failure())
        .contains("has no directory lib: name what './gradlew installDist'");
    Files.createDirectory(build.resolve("lib"));
    assertThat(command.run("--bft-smart " + build)).isEqualTo(1);
    assertThat(command.failure()).contains("has no directory config");
    Files.createDirectory(build.resolve("config"));
    assertThat(command.run("--bft-smart " + build)).isEqualTo(1);
    assertThat(command.failure()).contains("has no jars in lib");
    Files.writeString(build.resolve("lib").resolve("x.jar"), "");
    assertThat(command.run("--list --bft-smart " + build)).isZero();
    assertThat(command.text()).contains("bft-smart");
  }

  @Test
  void saysWhatToInstallWhereAProgramIsMissing(@TempDir Path libraries) throws Exception {
    for (Peer peer : Peers.STANDARD) {
      if (peer.driver().library() != null) {
        Files.createDirectories(libraries.resolve(peer.driver().library()));
      }
    }
    DriverCommands without = new DriverCommands(libraries, program -> false);
    assertThat(Peers.STANDARD)
        .filteredOn(peer -> without.obstacle(peer) != null)
        .extracting(peer -> peer.name() + ": " + without.obstacle(peer))
        .containsExactly(
            "redis: there is no redis-server on the PATH: install it (Debian: apt-get install"
                + " redis-server)",
            "redlock: there is no redis-server on the PATH: install it (Debian: apt-get install"
                + " redis-server)",
            "etcd: there is no etcd on the PATH: install it (Debian: apt-get install"
                + " etcd-server)");
    DriverCommands with = new DriverCommands(libraries, program -> true);
    assertThat(Peers.STANDARD).allMatch(peer -> with.obstacle(peer) == null);
  }

  /** A driver of another system has nothing of Testudo's own libraries, but for what it takes. */
  @Test
  void givesADriverItsOwnLibrariesOnly(@TempDir Path libraries) {
    DriverCommands commands = new DriverCommands(libraries, program -> true);
    Peer zookeeper = Peers.STANDARD.get(2);
    List<String> line = commands.command(zookeeper);
    String classPath = line.get(line.indexOf("-cp") + 1);
    assertThat(classPath.split(java.io.File.pathSeparator, -1))
        .hasSize(3)
        .anyMatch(entry -> entry.endsWith("testudo-peers-zookeeper/*"))
        .anyMatch(entry -> entry.contains("HdrHistogram"));
    assertThat(classPath).doesNotContain("guava").doesNotContain("netty");
  }

  @Test
  void hasOnlyTheQuickCompilerInQuickRunsUnlessItIsToldOtherwise() {
    Peer testudo = Peers.STANDARD.get(0);
    List<String> full = DriverCommands.ofThisProcess(false).command(testudo);
    List<String> quick = DriverCommands.ofThisProcess(true).command(testudo);
    // What TESTUDO_JAVA_OPTS says comes later, and the last one counts.
    assertThat(quick.get(1)).isEqualTo("-XX:TieredStopAtLevel=1");
    assertThat(quick.subList(2, quick.size())).isEqualTo(full.subList(1, full.size()));
  }

  @Test
  void hasEachColumnOnceAndThoseWithOneClientObjectFirst() {
    List<PeerWork> columns =
        PeerCases.columns(
            EnumSet.allOf(PeerCases.Case.class),
            EnumSet.allOf(Use.class),
            EnumSet.allOf(Sharing.class));
    assertThat(columns).hasSize(32).doesNotHaveDuplicates();
    assertThat(columns.subList(0, 18)).allMatch(work -> work.sharing() == Sharing.SHARED);
    assertThat(columns.subList(18, 32)).allMatch(work -> work.sharing() == Sharing.SEPARATE);
    assertThat(columns)
        .noneMatch(work -> work.sharing() == Sharing.SEPARATE && work.callers() == 1);
  }

  @Test
  void tellsTheRemainingTimeByWhatItTookSoFar() {
    long[] now = {0};
    Remaining remaining =
        new Remaining(
            new BenchClock() {
              @Override
              public long nanos() {
                return now[0];
              }

              @Override
              public void pauseUntil(long nanos) {}
            },
            TimeUnit.SECONDS.toNanos(600));
    assertThat(remaining.text()).isEqualTo("10:00 left");
    now[0] = TimeUnit.SECONDS.toNanos(200);
    remaining.passed(TimeUnit.SECONDS.toNanos(100)); // Twice as slow as planned.
    assertThat(remaining.text()).isEqualTo("16:40 left");
    remaining.passed(TimeUnit.SECONDS.toNanos(500));
    assertThat(remaining.text()).isEqualTo("0:00 left");
  }

  @Test
  void leavesOutWhatItHasNoTimeFor() {
    long[] now = {0};
    TimeBudget budget =
        new TimeBudget(
            new BenchClock() {
              @Override
              public long nanos() {
                return now[0];
              }

              @Override
              public void pauseUntil(long nanos) {}
            },
            1_000,
            500);
    assertThat(budget.allows(200)).isTrue(); // 500 of duty take 800.
    assertThat(budget.allows(201)).isFalse();
    now[0] = 200;
    assertThat(budget.allows(1)).isFalse();
    budget.done(500);
    assertThat(budget.allows(800)).isTrue();
    assertThat(TimeBudget.unlimited().allows(Long.MAX_VALUE / 2)).isTrue();
  }
}
