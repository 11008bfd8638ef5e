package io.testudo.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSortedMap;
import io.testudo.client.cluster.ServerMachines;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.CommandException;
import io.testudo.node.config.ServerConfig;
import io.testudo.node.examination.TestClusters;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.DeletedTree;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.SecurityMode;
import io.testudo.quorum.journal.JournalOptions;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.wire.StateCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server does not start with a journal that is older than its others. */
class JournalRoundsTest {
  private static final ServerId S0 = new ServerId(0);
  private static final StateCodec CODEC = new StateCodec(JournalRound.TYPES);

  @TempDir Path temporary;
  private final ServerLoops loops = ServerLoops.start(1);

  @AfterEach
  void end() {
    loops.close();
  }

  private static CommonSettings locksBy(String backend) {
    return new CommonSettings(
        new LockSettings(backend, ImmutableSortedMap.of(), 0, LockTiming.standard()),
        Mode.SEALED_STATEMENTS);
  }

  private ServerConfig config() {
    ClusterDirectory directory =
        TestClusters.make(
            temporary.resolve("cluster"), SecurityMode.HMAC, 1, 0, locksBy("backoff"), "client");
    return ServerConfig.read(directory.serverConfig(S0));
  }

  private ServerNode start(ServerConfig config) {
    Journals journals =
        Journals.in(config.data(), "test", S0, JournalOptions.defaults(), Enrolment.EXPECTED);
    return ServerNode.start(config, journals, loops, (machine, cause) -> {});
  }

  private static Path copied(Path journal, Path to) throws IOException {
    Files.createDirectories(to);
    Files.copy(journal.resolve("journal.log"), to.resolve("journal.log"));
    return to;
  }

  private static void putBack(Path copy, Path journal) throws IOException {
    DeletedTree.delete(journal);
    copied(copy, journal);
  }

  @Test
  void leavesTheJournalsOfAServerAloneThatRuns() {
    ServerConfig config = config();
    try (ServerNode node = start(config)) {
      assertThat(node.isAlive()).isTrue();
      assertThatThrownBy(() -> start(config))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("is in use; stop the server that runs on it")
          .hasMessageNotContaining("--readmit");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ping", "lock-backoff", "object"})
  void refusesAJournalThatWasPutBackToACopyOfTheSameRun(String machine) throws IOException {
    ServerConfig config = config();
    Path journal = config.data().resolve(machine);
    Path copy;
    try (ServerNode node = start(config)) {
      assertThat(node.isAlive()).isTrue();
      copy = copied(journal, temporary.resolve("copy"));
    }
    putBack(copy, journal);
    assertThatThrownBy(() -> start(config))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(machine + " is older than the other journals")
        .hasMessageContaining("Move " + journal + " away, start the server once with --readmit");

    DeletedTree.delete(journal);
    assertThat(Journals.readmit(config.data(), "test", S0, config.common()))
        .containsExactly(machine);
    start(config).close();
    start(config).close();
  }

  @Test
  void takesAllJournalsAfterAnyOrdinaryEnd() throws IOException {
    ServerConfig config = config();
    Path killed = temporary.resolve("killed");
    try (ServerNode node = start(config)) {
      assertThat(node.isAlive()).isTrue();
      for (String machine : ServerMachines.journals(config.common())) {
        copied(
            config.data().resolve(machine),
            killed.resolve(machine)); // As a crash would leave them.
      }
    }
    start(config).close();
    for (String machine : ServerMachines.journals(config.common())) {
      putBack(killed.resolve(machine), config.data().resolve(machine));
    }
    start(config).close();
  }

  @Test
  void keepsAJournalWithTheOthersThatNoMachineUsesForAWhile() {
    ServerConfig config = config();
    CommonSettings otherLocks = locksBy("sigma");
    ServerConfig other =
        new ServerConfig(
            config.file(),
            config.self(),
            config.cluster(),
            otherLocks,
            config.credentials(),
            config.listen(),
            config.admin(),
            config.data(),
            config.survives(),
            config.limits(),
            config.log());
    start(config).close();
    start(other).close();
    start(other).close();
    assertThatCode(() -> start(config).close()).doesNotThrowAnyException();
  }

  private static MemoryJournal at(long round) {
    MemoryJournal journal = new MemoryJournal();
    journal.append(new byte[] {1, 2, 3});
    journal.append(CODEC.encode(new JournalRound(round, false)));
    return journal;
  }

  private static void begin(MemoryJournal... journals) {
    JournalRounds rounds = new JournalRounds();
    for (int index = 0; index < journals.length; index++) {
      Journal counted = rounds.on("j" + index, journals[index], Runnable::run);
      assertThat(counted.recover()).allMatch(record -> record.length == 3);
    }
    rounds.begin(Path.of("data"));
  }

  @Test
  void takesARoundThatWasCutOff() {
    MemoryJournal ahead = at(5);
    MemoryJournal behind = at(4);
    begin(ahead, behind);
    assertThatThrownBy(() -> begin(behind, at(5))).hasMessageContaining("j1 is older");
    begin(behind, at(6));
  }

  @Test
  void refusesSeveralThatAreOlder() {
    assertThatThrownBy(() -> begin(at(3), at(3), at(5)))
        .hasMessageContaining("j0, j1 are older")
        .hasMessageContaining("j0 is at 3, j1 is at 3, j2 is at 5");
    assertThatThrownBy(() -> begin(new MemoryJournal(), at(5))).hasMessageContaining("j0 is older");
  }

  @Test
  void aSnapshotKeepsTheCount() {
    MemoryJournal first = at(5);
    JournalRounds rounds = new JournalRounds();
    Journal counted = rounds.on("first", first, Runnable::run);
    List<byte[]> state = counted.recover();
    rounds.begin(Path.of("data"));
    counted.replaceAll(state);
    begin(first, at(7));
    assertThatThrownBy(() -> begin(first, at(5))).hasMessageContaining("j1 is older");
  }

  @Test
  void keepsTheBytesOfVersionOne() {
    assertThat(HexFormat.of().formatHex(CODEC.encode(new JournalRound(300, false))))
        .isEqualTo("6008ac02");
    assertThat(HexFormat.of().formatHex(JournalRounds.joining())).isEqualTo("601001");
  }
}
