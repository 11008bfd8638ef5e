package io.testudo.mutex.dht.partial;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.ByHandNode;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The hazards of the paper's description, each as a trace: docs/dht.md. */
class PartialTracesTest {
  private static final long LEASE = 5_000_000_000L;
  private static final Thresholds THREE = SigmaProtocol.CRASHES.thresholds(3, 0, 2);
  private static final NodeId A = new NodeId(0xA0L << 56);
  private static final NodeId B = new NodeId(0xB0L << 56);
  private static final NodeId C = new NodeId(0xC0L << 56);
  private static final NodeId NEXT = new NodeId(6);
  private static final NodeId OTHER = new NodeId(7);
  private static final RequestId OF_A = new RequestId(1_000, A);
  private static final RequestId OF_B = new RequestId(2_000, B);
  private static final RequestId OF_C = new RequestId(3_000, C);
  private static final ReplicaName REPLICA = new ReplicaName("x", 0);

  private static ByHandNode node(NodeId id) {
    PartialSettings settings = new PartialSettings(THREE, LockTiming.standard(), 2_000_000_000L);
    return new ByHandNode(
        id,
        (node, overlay) -> new PartialBackend(node, overlay, settings, Entropy.seeded(id.bits())));
  }

  private static WaitingRequest waiter(RequestId id, long attempt) {
    return new WaitingRequest(id, LEASE, attempt);
  }

  private static VoteRequest request(RequestId id, long attempt) {
    return new VoteRequest(REPLICA, waiter(id, attempt), true);
  }

  private static PathRelease release(RequestId id) {
    return new PathRelease(REPLICA, id, ImmutableList.of());
  }

  @Test
  void aHopKeepsWhoComesLaterAndTheReleaseTakesThemAlong() {
    ByHandNode hop = node(new NodeId(5));
    assertThat(hop.forward(request(OF_A, 1), NEXT)).isTrue();
    assertThat(hop.forward(request(OF_B, 1), NEXT)).isFalse();
    assertThat(hop.sent(HeldBack.class)).hasSize(1);
    assertThat(hop.forward(request(OF_C, 1), NEXT)).isFalse();
    assertThat(hop.forward(release(OF_A), NEXT)).isFalse();
    assertThat(hop.routed(PathRelease.class))
        .containsExactly(
            new PathRelease(REPLICA, OF_A, ImmutableList.of(waiter(OF_B, 1), waiter(OF_C, 1))));
    assertThat(hop.entries()).isZero();
  }

  /** A release may overtake a request, which then leaves entries on its way. */
  @Test
  void aRequestThatComesAfterItsReleaseIsReleasedAgain() {
    ByHandNode replica = node(new NodeId(17));
    replica.deliver(request(OF_B, 1));
    replica.deliver(release(OF_A));
    List<VoteReply> replies = replica.deliver(request(OF_A, 1)).sent(VoteReply.class);
    assertThat(replies).hasSize(1);
    assertThat(replies.get(0).isYours()).isFalse();
    ByHandNode client = node(A);
    client.receive(replica.id(), replies.get(0));
    assertThat(client.routed(PathRelease.class)).containsExactly(release(OF_A));
    // Nor does it get the vote when that is free.
    assertThat(replica.deliver(release(OF_B)).sent(VoteReply.class)).isEmpty();
  }

  /** Its first way may be one on which only the receipt was late. */
  @Test
  void aReleaseTakesAllWaysThatItsRequestTook() {
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_A, 1), NEXT);
    hop.tookWay(request(OF_A, 1), OTHER);
    hop.forward(request(OF_B, 1), NEXT);
    hop.tookWay(request(OF_B, 1), new NodeId(8)); // It is not the one that made the entry.
    hop.forward(release(OF_A), NEXT);
    assertThat(hop.routedVia(PathRelease.class)).containsExactly(NEXT, OTHER);
  }

  @Test
  void aClientBesideTheRingReleasesByAllItsEntrances() {
    ByHandNode client = node(A).besideTheRing();
    client.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    for (VoteRequest request : client.routed(VoteRequest.class)) {
      client.tookWay(request, NEXT);
      client.tookWay(request, OTHER); // The receipt of the first was late.
      client.tookWay(request, OTHER);
    }
    client.cancel(1);
    assertThat(client.routedVia(PathRelease.class))
        .containsExactly(NEXT, OTHER, NEXT, OTHER, NEXT, OTHER);
  }

  @Test
  void aYieldTakesAllWaysThatItsRequestTook() {
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_B, 1), NEXT);
    hop.tookWay(request(OF_B, 1), OTHER);
    hop.forward(request(OF_C, 1), NEXT);
    GrantId vote = new GrantId(1, 1);
    hop.forward(new PathYield(REPLICA, waiter(OF_B, 2), vote, ImmutableList.of()), NEXT);
    assertThat(hop.routed(PathYield.class))
        .extracting(PathYield::collected)
        .containsExactly(ImmutableList.of(), ImmutableList.of(waiter(OF_C, 1)));
  }

  /** Receipts that are late make circles of ways: a copy for each of them, each time around. */
  @Test
  void aYieldThatComesBackTakesNoWayAgain() {
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_B, 1), NEXT);
    hop.tookWay(request(OF_B, 1), OTHER);
    GrantId vote = new GrantId(1, 1);
    PathYield yield = new PathYield(REPLICA, waiter(OF_B, 2), vote, ImmutableList.of());
    assertThat(hop.forward(yield, NEXT)).isFalse();
    assertThat(hop.forward(yield, NEXT)).isTrue();
    // Its client says it again, since the first may be lost: that one takes all ways, and what is
    // left of the first does not.
    PathYield again = new PathYield(REPLICA, waiter(OF_B, 3), vote, ImmutableList.of());
    assertThat(hop.forward(again, NEXT)).isFalse();
    assertThat(hop.forward(yield, NEXT)).isTrue();
    assertThat(hop.routedVia(PathYield.class)).containsExactly(NEXT, OTHER, NEXT, OTHER);
  }

  @Test
  void aReleaseDeletesNoEntryOfAnother() {
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_A, 1), NEXT);
    hop.forward(request(OF_B, 1), NEXT);
    // B gives up: it waits here no more, and the entry of A and who waits behind it stay.
    assertThat(hop.forward(release(OF_B), NEXT)).isTrue();
    assertThat(hop.entries()).isEqualTo(1);
    hop.forward(release(OF_A), NEXT);
    assertThat(hop.routed(PathRelease.class).get(0).collected()).isEmpty();
  }

  @Test
  void anEarlierRequestIsNotKeptBehindALaterOne() {
    ByHandNode hop = node(new NodeId(5));
    ByHandNode replica = node(new NodeId(17));
    VoteReply vote = replica.deliver(request(OF_B, 1)).sent(VoteReply.class).get(0);
    hop.forward(request(OF_C, 1), NEXT);
    replica.deliver(request(OF_C, 1));
    // A has the votes of other replicas, B this one, and C none, so that it yields nothing: behind
    // C, A would never be here when B yields, and neither of the two would ever have enough.
    assertThat(hop.forward(request(OF_A, 1), NEXT)).isTrue();
    replica.deliver(request(OF_A, 1));
    List<VoteReply> replies =
        replica
            .deliver(new PathYield(REPLICA, waiter(OF_B, 2), vote.state(), ImmutableList.of()))
            .sent(VoteReply.class);
    assertThat(replies).anyMatch(reply -> reply.to().equals(OF_A) && reply.isYours());
    // The entry is C's as before.
    assertThat(hop.forward(release(OF_A), NEXT)).isTrue();
    assertThat(hop.entries()).isEqualTo(1);
  }

  @Test
  void aYieldTakesThoseAlongWhoWaitOnTheWay() {
    ByHandNode replica = node(new NodeId(17));
    VoteReply vote = replica.deliver(request(OF_B, 1)).sent(VoteReply.class).get(0);
    replica.deliver(request(OF_A, 1));
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_B, 1), NEXT);
    hop.forward(request(OF_C, 1), NEXT);
    PathYield yield = new PathYield(REPLICA, waiter(OF_B, 2), vote.state(), ImmutableList.of());
    assertThat(hop.forward(yield, NEXT)).isFalse();
    PathYield collected = hop.routed(PathYield.class).get(0);
    List<VoteReply> replies = replica.deliver(collected).sent(VoteReply.class);
    assertThat(replies).anyMatch(reply -> reply.to().equals(OF_A) && reply.isYours());
    assertThat(hop.entries()).isEqualTo(1);
    replica.deliver(release(OF_A));
    // C is here by the yield, though the release of B may take another way.
    replies = replica.deliver(release(OF_B)).sent(VoteReply.class);
    assertThat(replies).anyMatch(reply -> reply.to().equals(OF_C) && reply.isYours());
  }

  @Test
  void aYieldThatComesAfterTheReleaseStillBringsThoseWhoWaited() {
    ByHandNode replica = node(new NodeId(17));
    VoteReply vote = replica.deliver(request(OF_B, 1)).sent(VoteReply.class).get(0);
    replica.deliver(release(OF_B));
    List<VoteReply> replies =
        replica
            .deliver(
                new PathYield(
                    REPLICA, waiter(OF_B, 2), vote.state(), ImmutableList.of(waiter(OF_A, 1))))
            .sent(VoteReply.class);
    assertThat(replies).hasSize(1);
    assertThat(replies.get(0).to()).isEqualTo(OF_A);
    assertThat(replies.get(0).isYours()).isTrue();
  }

  @Test
  void whatAHopSaysIsNoVote() {
    ByHandNode client = node(A);
    client.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    RequestId own = client.routed(VoteRequest.class).get(0).waiter().id();
    for (int i = 0; i < 3; i++) {
      // It is kept behind itself, as a hop would say that has its entry from before.
      client.receive(B, new HeldBack(new ReplicaName("x", i), own, own));
      assertThat(client.completed(1)).isFalse();
    }
  }

  @Test
  void aMergeDoublesNobodyAndBringsNobodyBack() {
    ByHandNode replica = node(new NodeId(17));
    replica.deliver(request(OF_A, 1));
    replica.deliver(request(OF_B, 1));
    replica.deliver(release(OF_C));
    replica.deliver(new PathFlush(REPLICA, ImmutableList.of(waiter(OF_B, 1), waiter(OF_C, 1))));
    List<VoteReply> afterA = replica.deliver(release(OF_A)).sent(VoteReply.class);
    assertThat(afterA).hasSize(1);
    assertThat(afterA.get(0).to()).isEqualTo(OF_B);
    assertThat(replica.deliver(release(OF_B)).sent(VoteReply.class)).isEmpty();
    assertThat(replica.entries()).isZero();
  }

  @Test
  void aHopThatMissesRenewalsSendsItsQueueToTheReplica() {
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_A, 1), NEXT);
    TimerKey end = hop.timers().get(0);
    hop.forward(request(OF_B, 1), NEXT);
    hop.after(120_000).ring(end);
    assertThat(hop.routed(PathFlush.class))
        .containsExactly(new PathFlush(REPLICA, ImmutableList.of(waiter(OF_B, 1))));
    assertThat(hop.entries()).isZero();
  }

  @Test
  void aRenewalKeepsTheEntry() {
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_A, 1), NEXT);
    TimerKey end = hop.timers().get(0);
    hop.after(8_000);
    assertThat(hop.forward(request(OF_A, 2), NEXT)).isTrue();
    hop.after(8_000).ring(end);
    assertThat(hop.entries()).isEqualTo(1);
  }

  /** A vote of the replica with this index for a request, as it comes from where that is. */
  private static VoteReply voteFor(RequestId id, int index) {
    return new VoteReply(
        new ReplicaName("x", index),
        id,
        Optional.of(id),
        Optional.empty(),
        new GrantId(index, 1),
        1,
        1,
        0);
  }

  @Test
  void aHolderRenewsDirectlySinceItsWayMayLeadBehindAnother() {
    ByHandNode holder = node(A);
    holder.call(1, new Acquire("x", 1_000_000_000L, Acquire.FOREVER, LEASE, false));
    TimerKey due = holder.timers().get(0);
    RequestId own = holder.routed(VoteRequest.class).get(0).waiter().id();
    holder.receive(B, voteFor(own, 0));
    assertThat(holder.receive(C, voteFor(own, 1)).completed(1)).isTrue();
    List<VoteRequest> renewals = holder.after(400).ring(due).sent(VoteRequest.class);
    assertThat(renewals).extracting(VoteRequest::replica).hasSize(2);
  }

  @Test
  void aRenewalThatTookNoWayGetsNoNewVote() {
    ByHandNode replica = node(new NodeId(17));
    // It would get ahead of those whose requests wait on the way.
    assertThat(replica.receive(A, request(OF_A, 1)).sent(VoteReply.class)).isEmpty();
    replica.deliver(request(OF_A, 2));
    VoteReply renewed = replica.receive(A, request(OF_A, 3)).sent(VoteReply.class).get(0);
    assertThat(renewed.leased()).isEqualTo(3);
  }

  @Test
  void aReplicaThatWentElsewhereNeitherGivesNorProlongsAVote() {
    ByHandNode replica = node(new NodeId(17));
    replica.deliver(request(OF_A, 1));
    replica.deliver(request(OF_B, 1));
    replica.ownsNothing();
    assertThat(replica.receive(A, request(OF_A, 2)).sent(VoteReply.class)).isEmpty();
    assertThat(replica.deliver(release(OF_A)).sent(VoteReply.class)).isEmpty();
    assertThat(replica.entries()).isZero();
  }

  /** No decoder takes more in a message than hops on one way may have waiting together. */
  @Test
  void aReleaseTakesNoMoreAlongThanAMessageHolds() {
    ByHandNode hop = node(new NodeId(5));
    hop.forward(request(OF_A, 1), NEXT);
    hop.forward(request(OF_B, 1), NEXT);
    List<WaitingRequest> others = new ArrayList<>();
    for (int i = 0; i < 16_384; i++) {
      others.add(waiter(new RequestId(10_000 + i, C), 1));
    }
    hop.forward(new PathRelease(REPLICA, OF_A, ImmutableList.copyOf(others)), NEXT);
    List<WaitingRequest> collected = hop.routed(PathRelease.class).get(0).collected();
    assertThat(collected).hasSizeLessThanOrEqualTo(16_384).startsWith(waiter(OF_B, 1));
  }

  private static VoteRequest request(int lock, int number) {
    return new VoteRequest(new ReplicaName("lock-" + lock, 0), waiter(id(number), 1), true);
  }

  /** Behind each 4,096 may wait, but not behind all at once. */
  @Test
  void allEntriesOfAHopShareTheRoomForThoseWhoWait() {
    ByHandNode hop = node(new NodeId(5));
    for (int lock = 0; lock < 65; lock++) {
      assertThat(hop.forward(request(lock, 0), NEXT)).isTrue();
      for (int i = 1; i <= 4_096 && lock < 64; i++) {
        hop.forward(request(lock, i), NEXT);
      }
    }
    assertThat(hop.forward(request(64, 1), NEXT)).isTrue();
    hop.forward(new PathRelease(new ReplicaName("lock-0", 0), id(0), ImmutableList.of()), NEXT);
    hop.forward(new PathRelease(new ReplicaName("lock-1", 0), id(1), ImmutableList.of()), NEXT);
    int kept = 0;
    for (int i = 1; i <= 4_096; i++) {
      kept += hop.forward(request(64, i), NEXT) ? 0 : 1;
    }
    assertThat(kept).isEqualTo(4_096);
    hop.forward(request(0, 0), NEXT);
    assertThat(hop.forward(request(0, 1), NEXT)).isFalse();
    assertThat(hop.forward(request(0, 1), NEXT)).isTrue();
  }

  private static RequestId id(int number) {
    return new RequestId(1_000 + number, B);
  }
}
