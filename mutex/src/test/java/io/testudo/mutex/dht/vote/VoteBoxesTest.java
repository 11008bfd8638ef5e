package io.testudo.mutex.dht.vote;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.ByHandNode;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.e2e.Token;
import io.testudo.mutex.dht.e2e.TokenRelease;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VoteBoxesTest {
  private static final long LEASE = 5_000_000_000L;
  private static final NodeId A = new NodeId(0xA0L << 56);

  private static final Moment NOW = new Moment(10 * LEASE, 1_000_000);

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

  private static VoteBox busy(String lock, BoxRoom room) {
    VoteBox box = new VoteBox(new ReplicaName(lock, 0), LockTiming.standard(), room);
    box.request(waiter(0), NOW);
    return box;
  }

  private static WaitingRequest waiter(int number) {
    return new WaitingRequest(new RequestId(1 + number, A), LEASE, 1);
  }

  /** Of each lock 8,192 may wait, but not of all locks at once. */
  @Test
  void allBoxesOfANodeShareTheRoomForThoseWhoWait() {
    BoxRoom room = new BoxRoom(1);
    List<VoteBox> boxes = new ArrayList<>();
    for (int i = 0; i < 33; i++) {
      VoteBox box = busy("lock-" + i, room);
      boxes.add(box);
      for (int j = 1; j <= 8_192; j++) {
        box.await(waiter(j), NOW);
        box.await(waiter(j), NOW);
      }
    }
    assertThat(boxes.get(31).waiting()).hasSize(8_192);
    assertThat(boxes.get(32).waiting()).isEmpty();
    boxes.get(0).leave(waiter(1).id());
    boxes.get(0).leave(waiter(1).id());
    boxes.get(1).clear();
    assertThat(boxes.get(1).serveNext(NOW, LEASE)).isPresent();
    assertThat(boxes.get(2).drain()).hasSize(8_192);
    for (int j = 1; j <= 8_192; j++) {
      boxes.get(32).await(waiter(j), NOW);
    }
    boxes.get(0).await(waiter(9_000), NOW);
    boxes.get(1).await(waiter(9_000), NOW);
    boxes.get(2).await(waiter(9_000), NOW);
    assertThat(boxes.get(32).waiting()).hasSize(8_192);
    assertThat(boxes.get(0).waiting()).contains(waiter(9_000));
    assertThat(boxes.get(1).waiting()).contains(waiter(9_000));
    assertThat(boxes.get(2).waiting()).isEmpty();
  }
}
