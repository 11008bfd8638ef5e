package io.testudo.mutex.dht.sigma;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.ByHandNode;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.sigma.Request;
import io.testudo.mutex.sigma.Response;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.mutex.sigma.SigmaRelease;
import io.testudo.mutex.sigma.SigmaRequest;
import io.testudo.mutex.sigma.SigmaTuning;
import io.testudo.quorum.spi.Entropy;
import org.junit.jupiter.api.Test;

class MovedReplicaTest {
  private static final long TIME = RankClock.atWall(1_000_000_000L);
  private static final NodeId A = new NodeId(0xA0L << 56);
  private static final NodeId B = new NodeId(0xB0L << 56);

  private static ByHandNode node() {
    return new ByHandNode(
        new NodeId(17),
        (node, overlay) ->
            new SigmaBackend(
                node,
                overlay,
                SigmaProtocol.CRASHES.thresholds(3, 0, 2),
                LockTiming.standard(),
                SigmaTuning.standard(),
                false,
                Entropy.seeded(1)));
  }

  private static ToReplica letter(NodeId client, SigmaRequest request) {
    return new ToReplica(client, 1, 0, request);
  }

  private static long grants(ByHandNode node) {
    return node.sent(FromReplica.class).stream()
        .filter(answer -> answer.answer() instanceof Response response && response.yours())
        .count();
  }

  private static long grantsAfterTheRelease(boolean isElsewhere) {
    ByHandNode node = node();
    node.receive(A, letter(A, new Request("x", 1, TIME, 1_000_000_000L, 1)));
    assertThat(grants(node)).isEqualTo(1);
    node.receive(B, letter(B, new Request("x", 1, TIME + 1, 1_000_000_000L, 1)));
    assertThat(grants(node)).isZero();
    if (isElsewhere) {
      node.ownsNothing();
    }
    return grants(node.receive(A, letter(A, new SigmaRelease("x", 1, TIME, SigmaRelease.UNUSED))));
  }

  /** Where the replica is by now another may have been granted what this one would grant. */
  @Test
  void aReplicaThatWentElsewhereGrantsNothingToThoseWhoWait() {
    assertThat(grantsAfterTheRelease(false)).isEqualTo(1);
    assertThat(grantsAfterTheRelease(true)).isZero();
  }
}
