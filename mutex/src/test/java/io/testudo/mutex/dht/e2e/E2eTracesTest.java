package io.testudo.mutex.dht.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.ByHandNode;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.VoteRequest;
import io.testudo.mutex.dht.vote.VoteYield;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The hazards of the paper's description, each as a trace: docs/dht.md. */
class E2eTracesTest {
  private static final long LEASE = 5_000_000_000L;
  private static final Thresholds THREE = SigmaProtocol.CRASHES.thresholds(3, 0, 2);
  private static final NodeId A = new NodeId(0xA0L << 56);
  private static final NodeId B = new NodeId(0xB0L << 56);
  private static final NodeId C = new NodeId(0xC0L << 56);
  private static final RequestId OF_A = new RequestId(1_000, A);
  private static final RequestId OF_B = new RequestId(2_000, B);
  private static final RequestId OF_C = new RequestId(3_000, C);

  private final List<ByHandNode> replicas = new ArrayList<>();

  private static ByHandNode node(NodeId id, boolean confirm) {
    E2eSettings settings = new E2eSettings(THREE, LockTiming.standard(), confirm);
    return new ByHandNode(
        id, (node, overlay) -> new E2eBackend(node, overlay, settings, Entropy.seeded(id.bits())));
  }

  private ByHandNode replica() {
    return node(new NodeId(17), true);
  }

  private static ReplicaName name(int index) {
    return new ReplicaName("x", index);
  }

  private static WaitingRequest waiter(RequestId id, long attempt) {
    return new WaitingRequest(id, LEASE, attempt);
  }

  private static VoteRequest request(RequestId id, long attempt) {
    return new VoteRequest(name(0), waiter(id, attempt), true);
  }

  private static IAmWinner winner(Token token, RequestId holder, long attempt) {
    return new IAmWinner(name(0), token, waiter(holder, attempt));
  }

  private static boolean accepts(ByHandNode replica, IAmWinner winner) {
    List<WinnerReply> replies = replica.deliver(winner).sent(WinnerReply.class);
    assertThat(replies).hasSize(1);
    return replies.get(0).isAccepted();
  }

  private static VoteReply reply(ByHandNode replica) {
    List<VoteReply> replies = replica.sent(VoteReply.class);
    assertThat(replies).hasSize(1);
    return replies.get(0);
  }

  @Test
  void votesStayWithTheTokenWhileItIsHandedOn() {
    ByHandNode replica = replica();
    assertThat(reply(replica.deliver(request(OF_A, 1))).isYours()).isTrue();
    Token first = Token.first(OF_A);
    assertThat(accepts(replica, winner(first, OF_A, 2))).isTrue();
    // A hands on to B: nothing is freed between, so C gets no vote, before or after B is known.
    assertThat(reply(replica.deliver(request(OF_C, 1))).isYours()).isFalse();
    assertThat(accepts(replica, winner(first.next(), OF_B, 1))).isTrue();
    // The release of a former holder comes late.
    replica.deliver(new TokenRelease(name(0), first, OF_A));
    assertThat(reply(replica.deliver(request(OF_C, 2))).isYours()).isFalse();
    // The last holder's does free it.
    replica.deliver(new TokenRelease(name(0), first.next(), OF_B));
    assertThat(reply(replica.deliver(request(OF_C, 3))).isYours()).isTrue();
  }

  @Test
  void aWinnerNeverTakesTheVoteOfAnother() {
    ByHandNode replica = replica();
    replica.deliver(request(OF_B, 1));
    assertThat(accepts(replica, winner(Token.first(OF_A), OF_A, 1))).isFalse();
    assertThat(reply(replica.deliver(request(OF_B, 2))).isYours()).isTrue();
  }

  @Test
  void aReplicaAcceptsOneHolderForEachNumber() {
    ByHandNode replica = replica();
    replica.deliver(request(OF_A, 1));
    Token second = Token.first(OF_A).next();
    assertThat(accepts(replica, winner(second, OF_B, 1))).isTrue();
    assertThat(accepts(replica, winner(second, OF_C, 1))).isFalse();
    assertThat(accepts(replica, winner(second, OF_B, 2))).isTrue();
    assertThat(accepts(replica, winner(Token.first(OF_A), OF_A, 2))).isFalse();
  }

  /**
   * B was slow to say that the token has come, so it was sent to C, too. Off, as the paper has it,
   * both are in; on, the replicas let one.
   */
  @Test
  void aTokenThatIsSentToTwoLetsBothInUnlessReplicasConfirm() {
    assertThat(entrantsByOneToken(false)).isEqualTo(2);
    assertThat(entrantsByOneToken(true)).isEqualTo(1);
  }

  private int entrantsByOneToken(boolean confirm) {
    replicas.clear();
    for (int i = 0; i < 3; i++) {
      ByHandNode replica = node(new NodeId(i), confirm);
      replica.deliver(new VoteRequest(name(i), waiter(OF_A, 1), true));
      replicas.add(replica);
    }
    Token token = Token.first(OF_A).next();
    int entered = 0;
    for (NodeId id : List.of(B, C)) {
      ByHandNode contender = node(id, confirm);
      contender.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
      RequestId own = contender.routed(VoteRequest.class).get(0).waiter().id();
      contender.receive(A, new TokenPass("x", token, own, ImmutableList.of()));
      boolean isIn = contender.completed(1);
      for (IAmWinner winner : contender.routed(IAmWinner.class)) {
        ByHandNode replica = replicas.get(winner.replica().index());
        for (WinnerReply answer : replica.deliver(winner).sent(WinnerReply.class)) {
          isIn |= contender.receive(replica.id(), answer).completed(1);
        }
      }
      entered += isIn ? 1 : 0;
    }
    return entered;
  }

  @Test
  void aTokenThatComesTwiceIsTakenOnce() {
    ByHandNode node = node(B, true);
    node.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    RequestId own = node.routed(VoteRequest.class).get(0).waiter().id();
    Token token = Token.first(OF_A).next();
    TokenPass pass = new TokenPass("x", token, own, ImmutableList.of(waiter(OF_C, 1)));
    node.receive(A, pass);
    assertThat(node.routed(IAmWinner.class)).hasSize(3);
    node.receive(A, pass);
    assertThat(node.sent(TokenReceipt.class)).hasSize(1);
    assertThat(node.routed(IAmWinner.class)).isEmpty();
    assertThat(node.sent(TokenPass.class)).isEmpty();
    // Nor when it went on meanwhile.
    assertThat(node.cancel(1).sent(TokenPass.class)).hasSize(1);
    assertThat(node.receive(A, pass).sent(TokenPass.class)).isEmpty();
  }

  /** It belongs to the token: released, the next holder would lack it until its lease is over. */
  @Test
  void aVoteThatComesAfterTheTokenWasHandedOnIsNotReleased() {
    assertThat(releasesOfALateVote(true)).isZero();
    assertThat(releasesOfALateVote(false)).isEqualTo(1);
  }

  private static int releasesOfALateVote(boolean anotherWaits) {
    ByHandNode holder = node(B, true);
    holder.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    List<VoteRequest> requests = holder.routed(VoteRequest.class);
    RequestId own = requests.get(0).waiter().id();
    List<VoteReply> votes = new ArrayList<>();
    for (VoteRequest request : requests) {
      votes.add(reply(node(new NodeId(votes.size()), true).deliver(request)));
    }
    holder.receive(new NodeId(0), votes.get(0));
    assertThat(holder.receive(new NodeId(1), votes.get(1)).completed(1)).isTrue();
    if (anotherWaits) {
      holder.receive(C, new Enqueue("x", waiter(OF_C, 1), 0));
    }
    holder.call(2, new ReleaseCall("x", own.time()));
    assertThat(holder.sent(TokenPass.class)).hasSize(anotherWaits ? 1 : 0);
    return holder.receive(new NodeId(2), votes.get(2)).sent(TokenRelease.class).size();
  }

  @Test
  void aTokenForOneWhoIsDoneGoesToTheNextByTheSameNumber() {
    ByHandNode node = node(B, true);
    Token token = Token.first(OF_A).next();
    node.receive(A, new TokenPass("x", token, OF_B, ImmutableList.of(waiter(OF_C, 1))));
    List<TokenPass> passed = node.sent(TokenPass.class);
    assertThat(passed).hasSize(1);
    assertThat(passed.get(0).token()).isEqualTo(token);
    assertThat(passed.get(0).to()).isEqualTo(OF_C);
  }

  /** Sigma's hazard: the second copy of a YIELD would give a later vote away. */
  @Test
  void aYieldThatIsDeliveredTwiceGivesNoOtherVoteAway() {
    ByHandNode replica = replica();
    VoteReply vote = reply(replica.deliver(request(OF_B, 1)));
    replica.deliver(request(OF_A, 1));
    VoteYield yield = new VoteYield(name(0), waiter(OF_B, 2), vote.state(), true);
    replica.receive(B, yield);
    replica.deliver(new TokenRelease(name(0), Token.first(OF_A), OF_A));
    // The vote is B's again, by another grant.
    assertThat(reply(replica.deliver(request(OF_B, 3))).isYours()).isTrue();
    replica.deliver(request(new RequestId(1_500, A), 1));
    replica.receive(B, yield);
    assertThat(reply(replica.deliver(request(OF_B, 4))).isYours()).isTrue();
  }

  @Test
  void aLateRequestOfOneThatHasLeftGetsNoVote() {
    ByHandNode replica = replica();
    replica.deliver(request(OF_A, 1));
    replica.deliver(new TokenRelease(name(0), Token.first(OF_A), OF_A));
    assertThat(replica.deliver(request(OF_A, 2)).sent(VoteReply.class)).isEmpty();
    assertThat(replica.entries()).isZero();
  }

  @Test
  void aHopStopsRequestsWhileItKnowsTheHolderAndForgetsItWithTheRelease() {
    ByHandNode hop = node(new NodeId(5), true);
    NodeId next = new NodeId(6);
    assertThat(hop.forward(request(OF_B, 1), next)).isTrue();
    assertThat(hop.forward(winner(Token.first(OF_A), OF_A, 1), next)).isTrue();
    assertThat(hop.forward(request(OF_B, 1), next)).isFalse();
    assertThat(hop.sent(Enqueue.class)).hasSize(1);
    // What is asked again goes all the way.
    assertThat(hop.forward(new VoteRequest(name(0), waiter(OF_B, 2), false), next)).isTrue();
    assertThat(hop.entries()).isEqualTo(1);
    assertThat(hop.forward(new TokenRelease(name(0), Token.first(OF_A), OF_A), next)).isTrue();
    assertThat(hop.entries()).isZero();
    assertThat(hop.forward(request(OF_B, 3), next)).isTrue();
  }

  @Test
  void aReleaseFollowsTheWayOfTheWinner() {
    ByHandNode hop = node(new NodeId(5), true);
    hop.forward(winner(Token.first(OF_A), OF_A, 1), new NodeId(6));
    TokenRelease release = new TokenRelease(name(0), Token.first(OF_A), OF_A);
    assertThat(hop.forward(release, new NodeId(7))).isFalse();
    assertThat(hop.routed(TokenRelease.class)).containsExactly(release);
  }

  @Test
  void whatAHopKnowsFades() {
    ByHandNode hop = node(new NodeId(5), true);
    hop.forward(winner(Token.first(OF_A), OF_A, 1), new NodeId(6));
    assertThat(hop.timers()).hasSize(1);
    hop.after(120_000).ring(hop.timers().get(0));
    assertThat(hop.entries()).isZero();
  }

  @Test
  void whoWaitsAsksAllReplicasWhenTheNodeWithTheQueueIsSilent() {
    ByHandNode waiter = node(B, true);
    waiter.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    TimerKey due = waiter.timers().get(0);
    RequestId own = waiter.routed(VoteRequest.class).get(0).waiter().id();
    waiter.receive(A, new Enqueued("x", own));
    // The first time it asks the holder; when that says nothing, it asks past all hops.
    assertThat(waiter.after(2_100).ring(due).sent(Enqueue.class)).hasSize(1);
    assertThat(waiter.routed(VoteRequest.class)).isEmpty();
    waiter.after(2_100).ring(due);
    assertThat(waiter.routed(VoteRequest.class))
        .hasSize(3)
        .allMatch(request -> request.waiter().id().equals(own) && !request.isFirst());
  }
}
