package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.client.cluster.ServerMachines;
import io.testudo.mutex.backoff.RankCeiling;
import io.testudo.mutex.protocol.BackendTable;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.OneCommand;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.DeletedTree;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.journal.FileJournal;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.ping.Incarnated;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that lost its disk stays out until an operator lets it in, and counts again then. */
class ReadmissionTest {
  private static final ServerId OTHER = new ServerId(2);
  private static final ServerId LOST = new ServerId(3);

  @TempDir Path temporary;
  private ClusterDirectory directory;
  private String client;
  private String admin;
  private final ServerLoops loops = ServerLoops.start(1);
  private final Map<ServerId, ServerNode> nodes = new HashMap<>();

  @BeforeEach
  void start() throws IOException {
    directory =
        TestClusters.make(temporary.resolve("cluster"), TestClusters.PLAIN, "admin", "client");
    client = directory.clientConfig("client").toString();
    admin = directory.clientConfig("admin").toString();
    for (ServerId server : ServerSet.firstN(4)) {
      Path config = directory.serverConfig(server);
      Files.writeString(config, Files.readString(config) + "sync = false\n");
      start(server, Enrolment.EXPECTED);
    }
  }

  private ServerNode start(ServerId server, Enrolment enrolment) {
    ServerConfig config = config(server);
    Journals journals =
        Journals.in(
            config.data(),
            "test",
            server,
            JournalOptions.defaults().withSurvives(config.survives()),
            enrolment);
    ServerNode node = ServerNode.start(config, journals, loops, (machine, cause) -> {});
    nodes.put(server, node);
    return node;
  }

  private ServerConfig config(ServerId server) {
    return ServerConfig.read(directory.serverConfig(server));
  }

  private void stop(ServerId server) {
    ServerNode node = nodes.remove(server);
    if (node != null) {
      node.close();
    }
  }

  @AfterEach
  void end() {
    ServerSet.firstN(4).forEach(this::stop);
    loops.close();
  }

  private OneCommand object(String... words) {
    String[] all = new String[words.length + 3];
    all[0] = "object";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--config";
    all[words.length + 2] = client;
    return OneCommand.run(all);
  }

  /** Takes its whole memory away. */
  private Path wipe() throws IOException {
    stop(LOST);
    Path data = config(LOST).data();
    DeletedTree.delete(data);
    return data;
  }

  @Test
  void refusesToStartWithoutItsJournals() throws IOException {
    Path data = wipe();
    assertThat(data).doesNotExist();
    assertThatThrownBy(() -> start(LOST, Enrolment.EXPECTED))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("the disk is empty or lost")
        .hasMessageContaining("start the server once with --readmit");
  }

  @Test
  void staysOutOfObjectsWithAJournalThatIsEmptyAndSaysSo() throws IOException {
    assertThat(object("incr", "visits").out()).isEqualTo("1\n");
    Path data = config(LOST).data();
    stop(LOST);
    DeletedTree.delete(data.resolve("object"));
    FileJournal.create(
        data.resolve("object"),
        "testudo test s3 object".getBytes(StandardCharsets.UTF_8),
        List.of(JournalRounds.joining()));
    ServerNode node = start(LOST, Enrolment.EXPECTED);
    assertThat(node.forgetful()).containsExactly("object");
    assertThat(node.isReady()).isFalse();
    assertThat(node.isAlive()).isTrue();
    assertThat(Metrics.of(node))
        .contains("testudo_ready 0\n", "testudo_machine_working{machine=\"object\"} 0\n");
    stop(OTHER);
    OneCommand without = object("incr", "visits", "--timeout", "500ms");
    assertThat(without.code()).as(without.out()).isEqualTo(ExitCode.FAILED);
    assertThat(without.err()).contains("2 of 4 servers answered, 3 are needed");
  }

  @Test
  void countsAgainOnceClientsBroughtItUpToDate() throws IOException {
    assertThat(object("incr", "visits").out()).isEqualTo("1\n");
    Path data = wipe();
    assertThat(Journals.readmit(data, "test", LOST, TestClusters.PLAIN))
        .containsExactly("ping", "lock-backoff", "object");
    assertThat(start(LOST, Enrolment.RETURNING).isAlive()).isTrue();
    int counted = 1;
    while (!object("ls", "visits", "--json").out().contains("\"servers\":4")) {
      assertThat(object("incr", "visits").out()).isEqualTo(++counted + "\n");
    }
    assertThat(counted).as("it is an operation that brings it up to date").isGreaterThan(1);
    stop(OTHER);
    assertThat(object("incr", "visits").out()).isEqualTo(counted + 1 + "\n");
    // From now on it has a memory, as any other.
    stop(LOST);
    start(LOST, Enrolment.EXPECTED);
    assertThat(object("incr", "visits").out()).isEqualTo(counted + 2 + "\n");
    assertThat(Journals.readmit(data, "test", LOST, TestClusters.PLAIN)).isEmpty();
  }

  @Test
  void grantsNoLocksUntilItWasToldHowFarTheRanksOfOthersWent() throws IOException {
    assertThat(Journals.readmit(wipe(), "test", LOST, TestClusters.PLAIN)).contains("lock-backoff");
    ServerNode node = start(LOST, Enrolment.RETURNING);
    assertThat(node.forgetful()).contains("lock-backoff");
    assertThat(OneCommand.run("status", "--config", admin).out())
        .contains("grants no locks until 'testudo readmit' was run");
    assertThat(OneCommand.run("doctor", "--config", admin, "--timeout", "1s").out())
        .contains("fail  locks     s3: has lost its memory of locks and grants none")
        .doesNotContain("no correct server does so");
    OneCommand readmit = OneCommand.run("readmit", "--config", admin);
    assertThat(readmit.out()).startsWith("4 of 4 servers have a memory of locks.\n");
    assertThat(node.forgetful()).doesNotContain("lock-backoff");
    stop(LOST);
    assertThat(start(LOST, Enrolment.EXPECTED).forgetful()).isEmpty();
  }

  private ServerNode losesItsDisk(ServerId server) throws IOException {
    stop(server);
    DeletedTree.delete(config(server).data());
    assertThat(Journals.readmit(config(server).data(), "test", server, TestClusters.PLAIN))
        .contains("object");
    return start(server, Enrolment.RETURNING);
  }

  /** More of them, in all, than may fail at once: the names of objects have to be handed on. */
  @Test
  void makesNewObjectsAfterServersLostTheirDisksOneAfterTheOther() throws IOException {
    for (String name : new String[] {"visits", "jobs/a", "jobs/b"}) {
      assertThat(object("incr", name).out()).isEqualTo("1\n");
    }
    for (ServerId server : new ServerId[] {LOST, OTHER}) {
      ServerNode node = losesItsDisk(server);
      assertThat(node.forgetful()).contains("object");
      assertThat(OneCommand.run("status", "--config", admin).out())
          .contains("takes no part in new objects until 'testudo readmit' was run");
      assertThat(OneCommand.run("doctor", "--config", admin).out())
          .contains("lost its memory of objects", "run 'testudo readmit'");
      OneCommand readmit = OneCommand.run("readmit", "--config", admin);
      assertThat(readmit.out())
          .contains(server + ": 3 of 3 others took note of its loss.\n")
          .contains(server + ": 3 names are listed by 3 servers.\n")
          .contains(server + " knows which objects are new.\n")
          .contains(server + " was brought up to date with 3 objects.\n")
          .endsWith("4 of 4 servers know which objects are new.\n");
      assertThat(readmit.code()).isEqualTo(ExitCode.OK);
      assertThat(node.forgetful()).doesNotContain("object");
    }
    stop(new ServerId(1));
    assertThat(object("incr", "new").out()).isEqualTo("1\n");
    assertThat(object("incr", "visits").out()).isEqualTo("2\n");
    stop(LOST);
    assertThat(start(LOST, Enrolment.EXPECTED).forgetful()).doesNotContain("object");
    assertThat(object("incr", "newer").out()).isEqualTo("1\n");
  }

  @Test
  void saysWhoIsMissingIfAServerCannotBeToldWhichObjectsAreNew() throws IOException {
    losesItsDisk(LOST);
    stop(OTHER);
    OneCommand readmit = OneCommand.run("readmit", "--config", admin, "--timeout", "1s");
    assertThat(readmit.code()).isEqualTo(ExitCode.FAILED);
    assertThat(readmit.out())
        .contains("Too few servers answer that have a memory of locks, 3 are needed")
        .endsWith("2 of 4 servers know which objects are new; s2, s3 not.\n");
    assertThat(readmit.err())
        .contains("2 of the 3 other servers took note of the loss, 3 are needed")
        .contains("(s2 does not answer)", "bring back those that do not answer");
    start(OTHER, Enrolment.EXPECTED);
    losesItsDisk(OTHER);
    OneCommand both = OneCommand.run("readmit", "--config", admin, "--timeout", "1s");
    assertThat(both.code()).isEqualTo(ExitCode.FAILED);
    assertThat(both.out())
        .contains("s2 was not let in: ", "s3 was not let in: ", "(s3 lost its memory, too)");
  }

  @Test
  void makesUpForWhatLocksAndStartsHaveForgotten() {
    long wallMillis = 1_800_000_000_000L;
    assertThat(ServerMachines.returning("ping", TestClusters.PLAIN, wallMillis))
        .containsExactly(new Incarnated(1_980_000_000_000_000L));
    assertThat(ServerMachines.returning("lock-backoff", TestClusters.PLAIN, wallMillis))
        .contains(
            new RankCeiling(
                BackendTable.fenceFloorAt(wallMillis, TestClusters.PLAIN.lock().timing())));
    assertThat(ServerMachines.returning("object", TestClusters.PLAIN, wallMillis)).isEmpty();
  }
}
