package io.testudo.mutex.dht.e2e;

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
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A number of a token may be sent to several: one of them enters, and nobody ends its hold. */
class TokenNumbersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long LEASE = 5 * SECOND;
  private static final NodeId A = new NodeId(0xA0L << 56);
  private static final NodeId B = new NodeId(0xB0L << 56);
  private static final NodeId C = new NodeId(0xC0L << 56);
  private static final NodeId D = new NodeId(0xD0L << 56);
  private static final RequestId OF_A = new RequestId(1_000, A);
  private static final RequestId OF_B = new RequestId(2_000, B);
  private static final RequestId OF_C = new RequestId(3_000, C);
  private static final RequestId OF_D = new RequestId(4_000, D);
  private static final Token FIRST = Token.first(OF_A);
  private static final Token SECOND_NUMBER = FIRST.next();

  private static ByHandNode node(NodeId id) {
    E2eSettings settings =
        new E2eSettings(SigmaProtocol.CRASHES.thresholds(3, 0, 2), LockTiming.standard(), true);
    return new ByHandNode(
        id, (node, overlay) -> new E2eBackend(node, overlay, settings, Entropy.seeded(id.bits())));
  }

  private static ReplicaName name() {
    return new ReplicaName("x", 0);
  }

  private static WaitingRequest waiter(RequestId id, long attempt) {
    return new WaitingRequest(id, LEASE, attempt);
  }

  private static IAmWinner winner(Token token, RequestId holder, long attempt) {
    return new IAmWinner(name(), token, waiter(holder, attempt));
  }

  private static WinnerReply answer(ByHandNode replica, IAmWinner winner) {
    List<WinnerReply> replies = replica.deliver(winner).sent(WinnerReply.class);
    assertThat(replies).hasSize(1);
    return replies.get(0);
  }

  private static boolean grants(ByHandNode replica, RequestId id, long attempt) {
    replica.deliver(new VoteRequest(name(), waiter(id, attempt), false));
    return replica.sent(VoteReply.class).stream().anyMatch(VoteReply::isYours);
  }

  /** A replica whose vote A has won, and where the next number was accepted of this holder. */
  private static ByHandNode replicaThatAccepted(RequestId holder) {
    ByHandNode replica = node(new NodeId(17));
    assertThat(grants(replica, OF_A, 1)).isTrue();
    assertThat(answer(replica, winner(SECOND_NUMBER, holder, 1)).isAccepted()).isTrue();
    return replica;
  }

  private static TokenRelease toFirstReplica(ByHandNode from) {
    List<TokenRelease> releases = from.routed(TokenRelease.class);
    assertThat(releases).hasSize(3);
    return releases.get(0);
  }

  /** B's receipts were lost, so A has sent the token to C as well, which is done since long. */
  @Test
  void oneWhoWantsTheTokenNoMoreFreesNoVoteOfAnother() {
    ByHandNode replica = replicaThatAccepted(OF_B);
    ByHandNode done = node(C);
    done.receive(A, new TokenPass("x", SECOND_NUMBER, OF_C, ImmutableList.of()));
    TokenRelease release = toFirstReplica(done);
    replica.deliver(release);
    assertThat(grants(replica, OF_D, 1)).isFalse();
    // Nor does it make hops forget the holder; where nobody was accepted, it frees the vote.
    ByHandNode hop = node(new NodeId(5));
    hop.forward(winner(SECOND_NUMBER, OF_B, 1), new NodeId(6));
    hop.forward(release, new NodeId(6));
    assertThat(hop.entries()).isEqualTo(1);
    ByHandNode other = node(new NodeId(18));
    assertThat(grants(other, OF_A, 1)).isTrue();
    assertThat(answer(other, winner(FIRST, OF_A, 2)).isAccepted()).isTrue();
    assertThat(grants(other.deliver(release), OF_D, 1)).isTrue();
  }

  /** The same for one that gives up while replicas have not yet said whether they accept it. */
  @Test
  void oneWhoGivesUpFreesOnlyWhatItWasAcceptedBy() {
    ByHandNode contender = node(C);
    contender.call(1, Acquire.of("x", SECOND, Acquire.FOREVER));
    RequestId own = contender.routed(VoteRequest.class).get(0).waiter().id();
    contender.receive(A, new TokenPass("x", SECOND_NUMBER, own, ImmutableList.of()));
    contender.routed(IAmWinner.class);
    contender.cancel(1);
    TokenRelease release = contender.routed(TokenRelease.class).get(0);
    ByHandNode ofAnother = replicaThatAccepted(OF_B);
    assertThat(grants(ofAnother.deliver(release), OF_D, 1)).isFalse();
    ByHandNode ofIts = replicaThatAccepted(own);
    assertThat(grants(ofIts.deliver(release), OF_D, 1)).isTrue();
  }

  /** What was sent to a second one may come when the lease of the first is over. */
  @Test
  void ofEachNumberThereIsOneHolderAlsoAfterItsLease() {
    ByHandNode replica = replicaThatAccepted(OF_B).after(20_000);
    assertThat(answer(replica, winner(SECOND_NUMBER, OF_C, 1)).isAccepted()).isFalse();
    assertThat(grants(replica, OF_D, 1)).isTrue();
    replica.deliver(new TokenRelease(name(), Token.first(OF_D), OF_D));
    assertThat(answer(replica, winner(SECOND_NUMBER, OF_B, 2)).isAccepted()).isTrue();
    assertThat(answer(replica, winner(SECOND_NUMBER.next(), OF_C, 2)).isAccepted()).isTrue();
  }

  /** Else its next number would go past one that was let in since. */
  @Test
  void whoSleptThroughItsLeaseHandsNothingOn() {
    ByHandNode holder = node(B);
    holder.call(1, Acquire.of("x", SECOND, Acquire.FOREVER));
    List<VoteRequest> requests = holder.routed(VoteRequest.class);
    RequestId own = requests.get(0).waiter().id();
    for (VoteRequest request : requests) {
      ByHandNode replica = node(new NodeId(request.replica().index())).deliver(request);
      holder.receive(replica.id(), replica.sent(VoteReply.class).get(0));
    }
    holder.receive(C, new Enqueue("x", waiter(OF_C, 1), 0));
    holder.after(60_000).call(2, new ReleaseCall("x", own.time()));
    assertThat(holder.sent(TokenPass.class)).isEmpty();
    assertThat(holder.sent(NotOwner.class)).hasSize(1);
    assertThat(toFirstReplica(holder)).isEqualTo(new TokenRelease(name(), Token.first(own), own));
  }

  /** Numbers of messages are each client's own: its renewals would count as old ones. */
  @Test
  void aLateRequestOfTheWinnerDoesNotStopTheRenewalsOfTheNextHolder() {
    ByHandNode replica = replicaThatAccepted(OF_B);
    replica.deliver(new VoteRequest(name(), waiter(OF_A, 9), false));
    assertThat(answer(replica.after(4_000), winner(SECOND_NUMBER, OF_B, 2)).isAccepted()).isTrue();
    assertThat(grants(replica.after(4_000), OF_D, 1)).isFalse();
  }

  /** The lease was made shorter since: by the earlier message the holder would count too much. */
  @Test
  void aRenewalThatComesLateIsAnsweredByTheLeaseOfTheNewer() {
    ByHandNode replica = replicaThatAccepted(OF_B);
    WaitingRequest shorter = new WaitingRequest(OF_B, SECOND, 7);
    replica.after(4_000).deliver(new IAmWinner(name(), SECOND_NUMBER, shorter));
    assertThat(answer(replica, winner(SECOND_NUMBER, OF_B, 6)).echo()).isEqualTo(7);
    assertThat(answer(replica, winner(SECOND_NUMBER, OF_B, 8)).echo()).isEqualTo(8);
  }

  @Test
  void aReplicaThatWentElsewhereProlongsNothing() {
    ByHandNode replica = replicaThatAccepted(OF_B).ownsNothing();
    IAmWinner renewal = winner(SECOND_NUMBER, OF_B, 2);
    assertThat(replica.receive(B, renewal).sent(WinnerReply.class)).isEmpty();
    assertThat(replica.routed(IAmWinner.class)).containsExactly(renewal);
  }

  @Test
  void aReplicaThatWentElsewhereGivesNoVoteToThoseWhoWait() {
    ByHandNode replica = node(new NodeId(17));
    assertThat(grants(replica, OF_A, 1)).isTrue();
    assertThat(grants(replica, OF_D, 1)).isFalse();
    replica.ownsNothing().receive(A, new TokenRelease(name(), FIRST, OF_A));
    assertThat(replica.sent(VoteReply.class)).isEmpty();
    assertThat(replica.entries()).isZero();
  }

  @Test
  void aTokenThatCameLongAgoIsNotReleasedWhileItIsHeld() {
    ByHandNode holder = node(B);
    holder.call(1, Acquire.of("x", SECOND, Acquire.FOREVER));
    RequestId own = holder.routed(VoteRequest.class).get(0).waiter().id();
    TokenPass pass = new TokenPass("x", SECOND_NUMBER, own, ImmutableList.of());
    holder.receive(A, pass);
    for (int i = 1; i <= 5_000; i++) {
      Token other = Token.first(new RequestId(10_000 + i, D)).next();
      holder.receive(D, new TokenPass("y", other, OF_B, ImmutableList.of()));
    }
    holder.routed(TokenRelease.class);
    holder.receive(A, pass);
    assertThat(holder.routed(TokenRelease.class)).isEmpty();
  }

  /** Rights are of locks: the sender may have none to the one that is wanted. */
  @Test
  void aTokenOfAnotherLockIsNotTaken() {
    ByHandNode contender = node(B);
    contender.call(1, Acquire.of("x", SECOND, Acquire.FOREVER));
    RequestId own = contender.routed(VoteRequest.class).get(0).waiter().id();
    contender.receive(A, new TokenPass("y", SECOND_NUMBER, own, ImmutableList.of()));
    assertThat(contender.routed(IAmWinner.class)).isEmpty();
  }

  private static ImmutableList<WaitingRequest> crowd(int size) {
    List<WaitingRequest> crowd = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      crowd.add(waiter(new RequestId(5_000 + i, D), 1));
    }
    return ImmutableList.copyOf(crowd);
  }

  /** Whatever is handed to it for requests that are over. */
  @Test
  void handsOnNoMoreAtATimeThanItHasRoomFor() {
    ByHandNode node = node(B);
    ImmutableList<WaitingRequest> crowd = crowd(8_192);
    int handedOn = 0;
    for (int i = 1; i <= 20; i++) {
      Token token = Token.first(new RequestId(10_000 + i, A)).next();
      node.receive(A, new TokenPass("x", token, OF_B, crowd));
      handedOn += node.sent(TokenPass.class).size();
    }
    assertThat(handedOn).isEqualTo(16);
  }

  /** After the longest lease nobody can be accepted any more. */
  @Test
  void handsATokenOnForALeaseAndNoLonger() {
    ByHandNode node = node(B);
    node.receive(A, new TokenPass("x", SECOND_NUMBER, OF_B, crowd(1_000)));
    TimerKey unanswered = node.timers().get(0);
    int handedOn = 1;
    for (int i = 0; i < 200; i++) {
      handedOn += node.after(800).ring(unanswered).sent(TokenPass.class).size();
    }
    assertThat(handedOn).isBetween(40, 60);
    assertThat(toFirstReplica(node)).isEqualTo(new TokenRelease(name(), SECOND_NUMBER, OF_B));
  }
}
