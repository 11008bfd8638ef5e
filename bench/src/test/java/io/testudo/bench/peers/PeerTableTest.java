package io.testudo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Kind;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.peers.Peer.Durability;
import io.testudo.bench.peers.PeerColumn.Cell;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who is compared with whom. */
class PeerTableTest {
  private static final PeerWork WORK =
      new PeerWork(Kind.LOCK, Use.BLOCKING, Sharing.SEPARATE, 8, 1);
  private static final Plan PLAN = new Plan(3, 1_000_000_000, 0);
  private static final MachineFacts MACHINE = new MachineFacts(2, 1, "17", "os", "nio");

  private final Cell testudo =
      FakePeers.cell(FakePeers.standing("testudo", 4, Durability.SYNCED, null), 100, 30);
  private final Cell memory =
      FakePeers.cell(FakePeers.standing("testudo-memory", 4, Durability.MEMORY, null), 300, 10);
  private final Cell alone =
      FakePeers.cell(FakePeers.standing("alone", 1, Durability.MEMORY, "a"), 400, 5);
  private final Cell inMemory =
      FakePeers.cell(FakePeers.standing("in-memory", 3, Durability.MEMORY, "b"), 200, 15);
  private final Cell synced =
      FakePeers.cell(FakePeers.standing("synced", 3, Durability.SYNCED, "c"), 50, 60);
  private final Cell broken =
      FakePeers.failed(FakePeers.standing("broken", 3, Durability.SYNCED, "d"), "it broke");

  private final PeerColumn column =
      new PeerColumn(WORK, ImmutableList.of(testudo, memory, alone, inMemory, synced, broken));

  private Map<String, Object> fields(Cell cell) {
    return PeerTable.fields(column, cell, PLAN, MACHINE);
  }

  @Test
  void givesRatiosToTestudoAndToTheBestOthersOfTheSameColumn() {
    assertThat(fields(synced))
        .containsEntry("opsRatioToTestudo", 0.5)
        .containsEntry("p50RatioToTestudo", 2.0)
        .containsEntry("bestPeer", "alone")
        .containsEntry("opsRatioToBestPeer", 0.125)
        .containsEntry("bestReplicatedPeer", "in-memory")
        .containsEntry("opsRatioToBestReplicatedPeer", 0.25);
    assertThat(fields(memory))
        .containsEntry("opsRatioToTestudo", 3.0)
        .containsEntry("opsRatioToBestPeer", 0.75)
        .containsEntry("opsRatioToBestReplicatedPeer", 1.5);
  }

  @Test
  void statesInEachRowWhatTheSystemIs() {
    assertThat(fields(inMemory))
        .containsEntry("bench", "peers")
        .containsEntry("case", "contended")
        .containsEntry("system", "in-memory")
        .containsEntry("version", "v1")
        .containsEntry("use", "blocking")
        .containsEntry("sharing", "separate")
        .containsEntry("clients", 8)
        .containsEntry("locks", 1)
        .containsEntry("servers", 3)
        .containsEntry("durability", "memory")
        .containsEntry("replication", "Raft")
        .containsEntry("faults", "1 crash")
        .containsEntry("opsPerSecond", 200.0)
        .doesNotContainKey("failure");
    assertThat(PeerTable.line(column, inMemory))
        .startsWith("contended         8  blocking  separate  in-memory       memory 1 crash")
        .endsWith("2.00      0.50");
  }

  @Test
  void saysOfOneThatFailedWhyAndNoFigures() {
    assertThat(fields(broken))
        .containsEntry("failure", "it broke")
        .doesNotContainKey("opsPerSecond")
        .doesNotContainKey("opsRatioToTestudo");
    assertThat(PeerTable.line(column, broken)).contains("broken").endsWith("failed: it broke");
  }

  @Test
  void comparesTestudoWithTheBestThatKeepAsMuch() {
    List<String> standings = PeerTable.standings(column);
    assertThat(standings).hasSize(2);
    assertThat(standings.get(0)).contains("0.25 alone", "0.50 in-memory", "2.00 synced");
    assertThat(standings.get(1)).contains("0.75 alone", "1.50 in-memory").endsWith("in-memory");
  }

  @Test
  void saysOfTestudosLocksThatGrantsAreNotOnDisk() {
    assertThat(fields(testudo)).containsEntry("durability", "leases");
    assertThat(fields(memory)).containsEntry("durability", "memory");
    assertThat(fields(synced)).containsEntry("durability", "synced");
    PeerWork counting = new PeerWork(Kind.INCREMENT, Use.BLOCKING, Sharing.SHARED, 8, 1);
    assertThat(
            PeerTable.fields(
                new PeerColumn(counting, ImmutableList.of(testudo)), testudo, PLAN, MACHINE))
        .containsEntry("durability", "synced");
  }

  @Test
  void givesNoRatioToWhatWasNotMeasured() {
    PeerColumn without = new PeerColumn(WORK, ImmutableList.of(synced, broken));
    assertThat(PeerTable.fields(without, synced, PLAN, MACHINE))
        .doesNotContainKey("opsRatioToTestudo")
        .containsEntry("opsRatioToBestPeer", 1.0);
    PeerColumn alone = new PeerColumn(WORK, ImmutableList.of(testudo));
    assertThat(PeerTable.standings(alone)).singleElement().asString().endsWith("-");
  }

  @Test
  void namesTheOneClientOfOneCallerNeitherSharedNorSeparate() {
    PeerWork work = new PeerWork(Kind.LOCK, Use.BLOCKING, Sharing.SHARED, 1, 1);
    PeerColumn alone = new PeerColumn(work, ImmutableList.of(testudo));
    assertThat(PeerTable.fields(alone, testudo, PLAN, MACHINE))
        .containsEntry("sharing", "one")
        .containsEntry("case", "uncontended");
  }
}
