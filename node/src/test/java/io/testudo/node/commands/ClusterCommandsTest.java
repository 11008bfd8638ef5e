package io.testudo.node.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.client.inquiry.Reporter;
import io.testudo.client.inquiry.Suspect;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.SecurityMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators ask of a cluster that runs, as TLS is configured for it. */
class ClusterCommandsTest {
  private static final Duration HOLD = Duration.ofSeconds(2);

  @TempDir static Path temporary;
  private static LocalCluster cluster;
  private static String admin;
  private static String client;

  @BeforeAll
  static void start() {
    Path path = temporary.resolve("cluster");
    ClusterDirectory directory =
        TestClusters.make(
            path,
            SecurityMode.TLS,
            4,
            1,
            new CommonSettings(
                new LockSettings(
                    "backoff",
                    ImmutableSortedMap.of("batch/", "sigma"),
                    1,
                    LockTiming.standard().withMaxHold(HOLD)),
                Mode.SEALED_STATEMENTS),
            "client");
    cluster = LocalCluster.start(directory, 4, /* inMemory= */ true, (machine, cause) -> {});
    admin = directory.clientConfig("admin").toString();
    client = directory.clientConfig("client").toString();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void showsWhoHoldsAndWhoWaits() throws InterruptedException {
    LockOptions options = LockOptions.standard().withHold(HOLD);
    try (TestudoClient one = TestudoClient.connect(Path.of(client));
        TestudoClient other = TestudoClient.connect(Path.of(client));
        Lease lease = one.lock("printer", options).acquire()) {
      CompletableFuture<Lease> waiter = other.lock("printer", options).acquireAsync();
      OneCommand locks = OneCommand.run("locks", "--config", admin, "--json");
      while (!locks.out().contains("\"waiters\":[{\"principal\":\"client\"")) {
        locks = OneCommand.run("locks", "--config", admin, "--json");
      }
      assertThat(locks.code()).isZero();
      assertThat(locks.lines()).hasSize(1);
      assertThat(locks.out())
          .contains("\"lock\":\"printer\"", "\"fence\":" + lease.fencingToken() + ",");
      OneCommand text = OneCommand.run("locks", "--config", client, "print");
      assertThat(text.out()).startsWith("printer: held by client/").contains("; waiting: client/");
      assertThat(OneCommand.run("locks", "--config", client, "other/").out())
          .isEqualTo("No lock is in use.\n");
      assertThat(waiter.cancel(false)).isTrue();
    }
  }

  @Test
  void showsTheLocksOfEveryProtocol() throws InterruptedException {
    try (TestudoClient holder = TestudoClient.connect(Path.of(client));
        Lease lease =
            holder.lock("batch/nightly", LockOptions.standard().withHold(HOLD)).acquire()) {
      OneCommand locks = OneCommand.run("locks", "--config", admin, "--json", "batch/");
      assertThat(locks.code()).isZero();
      assertThat(locks.lines()).hasSize(1);
      assertThat(locks.out())
          .contains("\"backend\":\"sigma\"", "\"principal\":\"client\"")
          .contains("\"fence\":" + lease.fencingToken() + ",");
    }
  }

  @Test
  void showsServersAndWhatClientsReport() throws Exception {
    try (ClusterClient reporter = ClusterClient.connect(ClientConfig.read(Path.of(client)))) {
      var machine = reporter.connections().start(new Reporter(4), event -> {});
      // Other tests' clients report what they see, too.
      Suspect suspect =
          Suspect.of(new ServerId(2), Suspect.Kind.OUTVOTED, "denied the lock 'typewriter'");
      assertThat(machine.call(new Reporter.Note(suspect)).get()).isTrue();
      OneCommand status = OneCommand.run("status", "--config", admin, "--json", "--verbose");
      while (!status.out().contains("typewriter")) {
        status = OneCommand.run("status", "--config", admin, "--json", "--verbose");
      }
      assertThat(status.code()).isZero();
      assertThat(status.lines().get(0))
          .startsWith("{\"server\":\"s0\"")
          .contains("\"answered\":true", "\"incarnation\":", "\"faults\":[]");
      assertThat(status.lines())
          .filteredOn(line -> line.contains("typewriter"))
          .singleElement()
          .asString()
          .startsWith("{\"suspect\":\"s2\",\"reporter\":\"client\",\"kind\":\"outvoted\"");
      assertThat(status.lines().get(status.lines().size() - 1))
          .contains("\"lying\":0", "\"hasQuorum\":true");
      assertThat(OneCommand.run("status", "--config", admin).out())
          .as("what may be late or crossed is no suspicion")
          .doesNotContain("typewriter", "disagreed");
    }
  }

  @Test
  void tellsOthersThanAdministratorsLess() {
    OneCommand status = OneCommand.run("status", "--config", client);
    assertThat(status.code()).isZero();
    assertThat(status.out())
        .contains("Cluster test tolerates 1 of 4", "the right to administer, which client lacks");
  }

  @Test
  void keepsLookingAtAClusterThatLosesAServer() {
    cluster.stop(new ServerId(3));
    try {
      OneCommand status = OneCommand.run("status", "--config", admin, "--timeout", "1s");
      assertThat(status.code()).isZero();
      assertThat(status.out()).contains("s3 counts as failing; 0 more may fail");
      OneCommand doctor = OneCommand.run("doctor", "--config", admin, "--timeout", "1s");
      assertThat(doctor.code()).isEqualTo(ExitCode.FAILED);
      assertThat(doctor.out())
          .contains("fail  reach     s3: cannot be reached", "start it with 'testudo server'");
      cluster.stop(new ServerId(2));
      OneCommand broken = OneCommand.run("status", "--config", admin, "--timeout", "1s");
      assertThat(broken.code()).isEqualTo(ExitCode.FAILED);
      assertThat(broken.out())
          .contains("Fewer than a quorum answer: run 'testudo doctor'", "more than it tolerates");
      OneCommand locks = OneCommand.run("locks", "--config", admin, "--timeout", "1s");
      assertThat(locks.code()).isEqualTo(ExitCode.FAILED);
      assertThat(locks.err()).contains("2 of 4 servers told of their locks, 3 are needed");
    } finally {
      cluster.start(new ServerId(3));
      cluster.start(new ServerId(2));
      OneCommand status = OneCommand.run("status", "--config", admin);
      while (!status.out().contains("none fails")) {
        status = OneCommand.run("status", "--config", admin); // Until they grant locks again.
      }
    }
  }

  @Test
  void findsNothingWrongWithAHealthyCluster() {
    OneCommand doctor = OneCommand.run("doctor", "--config", admin, "--json");
    assertThat(doctor.code()).isZero();
    assertThat(doctor.lines())
        .allSatisfy(line -> assertThat(line).doesNotContain("\"verdict\":\"fail\""))
        .anySatisfy(line -> assertThat(line).contains("\"check\":\"quorum\"", "\"ok\""));
  }

  @Test
  void noticesAClientWithOtherSettings() throws Exception {
    Path directory = Path.of(admin).resolveSibling("../other").normalize();
    Files.createDirectory(directory);
    try (var files = Files.newDirectoryStream(Path.of(admin).resolveSibling(""))) {
      for (Path file : files) {
        Files.copy(file, directory.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Path config = directory.resolve("client.conf");
    Files.writeString(config, Files.readString(config) + "lock.delay = 7ms\n");
    OneCommand doctor = OneCommand.run("doctor", "--config", config.toString());
    assertThat(doctor.code()).isEqualTo(ExitCode.FAILED);
    assertThat(doctor.out())
        .contains("fail  settings  s0: common.conf or the servers in cluster.txt are others there");
  }

  @Test
  void refusesNamesWithoutARight() {
    OneCommand added =
        OneCommand.run(
            "client",
            "add",
            "carol",
            "--dir",
            temporary.resolve("cluster").toString(),
            "--rights",
            "read",
            "--prefix",
            "jobs/",
            "--json");
    assertThat(added.code()).isZero();
    String carol = temporary.resolve("cluster/clients/carol/client.conf").toString();
    OneCommand locks = OneCommand.run("locks", "--config", carol, "other/");
    assertThat(locks.code()).isEqualTo(ExitCode.FAILED);
    assertThat(locks.err())
        .startsWith("testudo locks: carol has no right to read 'other/'; have it granted")
        .hasLineCount(1);
    OneCommand lock = OneCommand.run("lock", "jobs/x", "--config", carol, "--", "true");
    assertThat(lock.code()).isEqualTo(ExitCode.NOT_RUN);
    assertThat(lock.err()).contains("carol has no right to lock 'jobs/x'").hasLineCount(1);
  }

  @Test
  void completesCommandsOfShells() {
    OneCommand completion = OneCommand.run("completion");
    assertThat(completion.code()).isZero();
    assertThat(completion.out()).contains("complete -F", "--byzantine", "doctor");
  }
}
