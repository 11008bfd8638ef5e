package io.testudo.node.examination;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.LockOptions;
import io.testudo.node.OneCommand;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.Grant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All servers are honest: {@code doctor} accuses nobody, whatever happens to them. */
class HonestServersTest {

  @TempDir Path temporary;
  private ClusterDirectory directory;
  private LocalCluster cluster;
  private String admin;

  @BeforeEach
  void start() {
    directory = TestClusters.make(temporary.resolve("cluster"));
    var unused =
        directory.addClient(
            "narrow", List.of(Grant.of("narrow", Set.of(Right.LOCK, Right.READ), "jobs/")));
    var unusedToo = directory.addClient("nobody", List.of());
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    admin = directory.clientConfig("admin").toString();
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private OneCommand doctor() {
    return OneCommand.run("doctor", "--config", admin);
  }

  private static void assertNobodyIsAccused(OneCommand doctor) {
    assertThat(doctor.lines())
        .filteredOn(line -> line.contains("conduct"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("ok"));
  }

  @Test
  void areNotAccused() {
    OneCommand doctor = doctor();
    assertThat(doctor.code()).isZero();
    assertNobodyIsAccused(doctor);
    assertThat(OneCommand.run("locks", "--config", admin, "--json").out())
        .as("nothing is left behind")
        .doesNotContain(Examination.NAMES);
    assertThat(OneCommand.run("object", "ls", "--config", admin).out())
        .doesNotContain(Examination.NAMES);
  }

  @Test
  void areNotAccusedWhereOneIsDownAndOneHasJustStarted() {
    assertThat(OneCommand.run("lock", "x", "--wait", "20s", "--config", admin, "--", "true").code())
        .isZero();
    cluster.stop(new ServerId(0));
    cluster.start(new ServerId(0));
    cluster.stop(new ServerId(3));
    OneCommand doctor = doctor();
    assertThat(doctor.out()).containsPattern("warn  locks     s0: grants locks from ");
    assertNobodyIsAccused(doctor);
  }

  @Test
  void areNotAccusedUnderLoad() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (TestudoClient busy = TestudoClient.connect(directory.clientConfig("client"))) {
      List<Thread> load =
          Stream.of("one", "one", "queued/one", "queued/one")
              .map(name -> new Thread(() -> use(busy, name, over)))
              .toList();
      load.forEach(Thread::start);
      for (int turns = 0; turns < 5; turns++) {
        assertNobodyIsAccused(doctor());
      }
      over.set(true);
      for (Thread each : load) {
        each.join();
      }
    }
    assertThat(OneCommand.run("status", "--config", admin).out())
        .contains("none fails; 1 more may fail");
  }

  private static void use(TestudoClient client, String name, AtomicBoolean over) {
    while (!over.get()) {
      try (var lease =
          client
              .lock(name, LockOptions.standard().withHold(Duration.ofSeconds(1)))
              .tryAcquire(Duration.ofSeconds(20))
              .orElseThrow()) {
        assertThat(lease.isHeld()).isTrue();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Test
  void areExaminedByPrincipalsWithFewRightsInNamesThatTheyMayUse() {
    String narrow = directory.clientConfig("narrow").toString();
    assertNobodyIsAccused(OneCommand.run("doctor", "--config", narrow));
    assertNobodyIsAccused(OneCommand.run("doctor", "--config", admin, "--second", narrow));
    assertThat(
            OneCommand.run("doctor", "--config", directory.clientConfig("nobody").toString()).out())
        .contains("warn  conduct   nobody: may neither use locks nor read objects");
  }
}
