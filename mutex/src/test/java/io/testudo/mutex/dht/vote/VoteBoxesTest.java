package io.testudo.mutex.dht.vote;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.ByHandNode;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.e2e.Token;
import io.testudo.mutex.dht.e2e.TokenRelease;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.spi.Entropy;
import org.junit.jupiter.api.Test;

class VoteBoxesTest {
  private static final long LEASE = 5_000_000_000L;
  private static final NodeId A = new NodeId(0xA0L << 56);


  private static boolean votes(ByHandNode replica, int lock) {
    RequestId id = new RequestId(1 + lock, A);
    replica.deliver(new VoteRequest(name(lock), new WaitingRequest(id, LEASE, 1), false));
    return replica.sent(VoteReply.class).stream().anyMatch(VoteReply::isYours);
  }

  private static void release(ByHandNode replica, int lock) {
    RequestId id = new RequestId(1 + lock, A);
    replica.deliver(new TokenRelease(name(lock), new Token(id, 0), id));
  }

  private static ReplicaName name(int lock) {
    return new ReplicaName("lock-" + lock, 0);
  }

  /** Looking through all of them for each message that finds no room would take all the time. */
  @Test
  void looksForRoomNowAndThenAndNotWithEachMessage() {
    ReplicaPlan plan = ReplicaPlan.of(3, 2, LockTiming.standard());
    ByHandNode replica =
        new ByHandNode(
            new NodeId(17),
            (node, overlay) -> DhtBackends.E2E.maker(plan, Entropy.seeded(1)).make(node, overlay));
    int most = 100_000;
    for (int i = 0; i < most; i++) {
      assertThat(votes(replica, i)).isTrue();
    }
    assertThat(votes(replica, most)).isFalse();
    release(replica, 0);
    assertThat(votes(replica, most)).isFalse();
    assertThat(votes(replica.after(100), most)).isTrue();
    assertThat(votes(replica, most + 1)).isFalse();
  }
}
