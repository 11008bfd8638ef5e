package io.testudo.mutex.dht.zone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.ByHandNode;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Zone;
import io.testudo.mutex.dht.vote.ReplicaName;
import io.testudo.mutex.dht.vote.RequestId;
import io.testudo.mutex.dht.vote.VoteReply;
import io.testudo.mutex.dht.vote.WaitingRequest;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rules of zone voting, each as a trace: docs/dht.md. Four members have a quarter each. */
class ZoneTracesTest {
  private static final long LEASE = 2_000_000_000L;
  private static final NodeId A = new NodeId(0x40L << 56);
  private static final NodeId B = new NodeId(0x80L << 56);
  private static final NodeId C = new NodeId(0xC0L << 56);
  private static final NodeId D = new NodeId(0);
  private static final NodeId NEWCOMER = new NodeId(0x60L << 56);
  private static final RequestId FIRST = new RequestId(1_000, A);
  private static final RequestId SECOND = new RequestId(2_000, C);
  private static final Bytes SEAL = Bytes.wrap(new byte[] {7});
  private static final long LATER = 60_000;

  /** The authority seals with {@link #SEAL}. */
  private static final MemberCertificates CERTIFICATES =
      new MemberCertificates() {
        @Override
        public MemberCertificate of(NodeId id, Moment now) {
          return card(id);
        }

        @Override
        public boolean isGenuine(NodeId speaker, MemberCertificate certificate, Moment now) {
          return certificate.proof().equals(SEAL);
        }

        @Override
        public boolean areProofs() {
          return false; // Members answer one by one here: LiarTracesTest has them all asked.
        }
      };

  private static MemberCertificate card(NodeId id) {
    return new MemberCertificate(id, SEAL);
  }

  private static ZoneSettings settings(boolean queues, boolean settles) {
    return new ZoneSettings(
        ZoneSettings.THREE_QUARTERS,
        LockTiming.standard().withMaxHold(Duration.ofSeconds(3)),
        CERTIFICATES,
        queues,
        2_000_000_000L,
        3_000_000_000L,
        settles);
  }

  private static ByHandNode node(NodeId id, ZoneSettings settings) {
    return new ByHandNode(
        id, (node, overlay) -> new ZoneBackend(node, overlay, settings, Entropy.seeded(id.bits())));
  }

  private static ByHandNode node(NodeId id) {
    return node(id, settings(true, true));
  }

  /** A member that has its zone for long. */
  private static ByHandNode settled(NodeId id, NodeId below, NodeId above, boolean queues) {
    ByHandNode member = node(id, settings(queues, true)).between(below, above);
    TimerKey due = member.timers().get(0);
    return member.after(LATER).ring(due);
  }

  private static ZoneRequest request(RequestId id, long attempt) {
    return new ZoneRequest("x", new WaitingRequest(id, LEASE, attempt));
  }

  private static List<ZoneVote> ask(ByHandNode member, RequestId id, long attempt) {
    return member.receive(id.client(), request(id, attempt)).sent(ZoneVote.class);
  }

  private static RequestId begin(ByHandNode client) {
    client.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    return client.sent(ZoneRequest.class).get(0).waiter().id();
  }

  /** A vote for a request, with the space from a predecessor on. */
  private static ZoneVote vote(RequestId to, NodeId member, NodeId below) {
    return vote(to, to, member, card(below), new Zone(below.bits() + 1, member.bits()), 1);
  }

  private static ZoneVote vote(
      RequestId to,
      RequestId owner,
      NodeId member,
      MemberCertificate below,
      Zone voting,
      long number) {
    VoteReply reply =
        new VoteReply(
            new ReplicaName("x", 0),
            to,
            Optional.of(owner),
            Optional.empty(),
            new GrantId(member.bits(), number),
            1,
            1,
            0);
    ZoneClaim claim = new ZoneClaim(card(member), below, card(below.id()), voting, 1);
    return new ZoneVote(reply, claim, ImmutableList.of());
  }

  private static boolean enters(ByHandNode client, NodeId from, ZoneVote vote) {
    return client.receive(from, vote).completed(1);
  }

  @Test
  void threeQuartersOfTheSpaceWin() {
    ByHandNode client = node(A).between(D, B);
    RequestId own = begin(client);
    assertThat(enters(client, A, vote(own, A, D))).isFalse();
    assertThat(enters(client, B, vote(own, B, A))).isFalse();
    assertThat(enters(client, C, vote(own, C, B))).isTrue();
  }

  @Test
  void aMemberCountsOnceWhateverItClaims() {
    ByHandNode client = node(A).between(D, B);
    RequestId own = begin(client);
    for (int i = 1; i < 6; i++) {
      Zone zone = new Zone(A.bits() + 1, B.bits());
      assertThat(enters(client, B, vote(own, own, B, card(A), zone, i))).isFalse();
    }
  }

  private static ZoneVote inVersion(long version, ZoneVote vote) {
    ZoneClaim claim = vote.claim();
    return new ZoneVote(
        vote.reply(),
        new ZoneClaim(claim.own(), claim.below(), claim.above(), claim.voting(), version),
        vote.nearby());
  }

  /** A newcomer has half of the zone by now, and may vote with it for another. */
  @Test
  void aClaimThatComesLateDoesNotBringSpaceBack() {
    ByHandNode client = node(A).between(D, B);
    RequestId own = begin(client);
    client.receive(A, vote(own, A, D));
    client.receive(B, inVersion(2, vote(own, B, NEWCOMER)));
    client.receive(C, vote(own, C, B));
    assertThat(enters(client, B, inVersion(1, vote(own, B, A)))).isFalse();
    assertThat(enters(client, B, inVersion(3, vote(own, B, A)))).isTrue();
  }

  /** Who says that it is there costs memory. */
  @Test
  void noMoreMembersVoteThanARequestHasRoomFor() {
    ZoneTally tally =
        new ZoneTally("x", settings(true, true), new Sightings(Duration.ofSeconds(9).toNanos()));
    RequestId own = new RequestId(1, A);
    for (int i = 1; i <= ZoneTally.MAX_MEMBERS + 1; i++) {
      NodeId member = new NodeId(2L * i);
      boolean isTaken =
          tally.take(member, vote(own, member, new NodeId(2L * i - 2)), new Moment(i, i));
      assertThat(isTaken).isEqualTo(i <= ZoneTally.MAX_MEMBERS);
    }
  }

  @Test
  void aMemberWithNoProofHasNoVote() {
    ByHandNode client = node(A).between(D, B);
    RequestId own = begin(client);
    MemberCertificate forged = new MemberCertificate(A, Bytes.wrap(new byte[] {8}));
    Zone all = new Zone(A.bits() + 1, D.bits());
    assertThat(enters(client, D, vote(own, own, D, forged, all, 1))).isFalse();
    // Nor has one with space that is not between its predecessor and itself.
    assertThat(enters(client, D, vote(own, own, D, card(C), all, 1))).isFalse();
    // Nor one that shows the certificate and the zone of another as its own.
    client.receive(A, vote(own, A, D));
    client.receive(B, vote(own, B, A));
    assertThat(enters(client, C, vote(own, D, C))).isFalse();
  }

  @Test
  void aClaimThatReachesOverAnotherMemberIsDisproved() {
    ByHandNode client = node(A).between(D, B);
    RequestId own = begin(client);
    client.receive(B, vote(own, SECOND, B, card(A), new Zone(A.bits() + 1, B.bits()), 1));
    // C leaves B out, which has voted for another.
    assertThat(enters(client, C, vote(own, C, D))).isFalse();
    assertThat(enters(client, D, vote(own, D, C))).isFalse();
    assertThat(enters(client, A, vote(own, A, D))).isFalse();
  }

  @Test
  void twoThatReachOverEachOtherCountNeither() {
    ByHandNode client = node(A).between(D, B);
    RequestId own = begin(client);
    assertThat(enters(client, B, vote(own, B, D))).isFalse(); // Half of all,
    assertThat(enters(client, D, vote(own, D, A))).isFalse(); // three quarters,
    assertThat(enters(client, A, vote(own, A, D))).isFalse(); // and a quarter that is true.
  }

  @Test
  void whoWasSeenLatelyIsThereThoughItDoesNotAnswer() {
    ByHandNode client = node(A).between(D, B);
    RequestId before = begin(client);
    client.receive(B, vote(before, SECOND, B, card(A), new Zone(A.bits() + 1, B.bits()), 1));
    client.after(500);
    client.call(2, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    RequestId own = client.sent(ZoneRequest.class).get(0).waiter().id();
    ZoneVote greedy = vote(own, C, A);
    assertThat(client.receive(C, greedy).completed(2)).isFalse();
    assertThat(client.receive(D, vote(own, D, C)).completed(2)).isFalse();
    // After a time without a word it counts as gone, and its neighbour may have its space.
    client.after(LATER);
    client.call(3, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    RequestId last = client.sent(ZoneRequest.class).get(0).waiter().id();
    client.receive(C, vote(last, C, A));
    assertThat(client.receive(D, vote(last, D, C)).completed(3)).isTrue();
  }

  @Test
  void aNewcomerDoesNotVoteWithSpaceThatAnotherHasVotedWith() {
    ByHandNode owner = settled(B, A, C, true);
    ZoneVote given = ask(owner, FIRST, 1).get(0);
    assertThat(given.reply().isYours()).isTrue();
    assertThat(given.claim().voting().contains(NEWCOMER.bits())).isTrue();
    // The naive newcomer takes half of that zone and gives it to another at once.
    ByHandNode naive = node(NEWCOMER, settings(true, false)).between(A, B);
    ZoneVote again = ask(naive, SECOND, 1).get(0);
    assertThat(again.reply().isYours()).isTrue();
    assertThat(given.claim().voting().contains(again.claim().voting().first())).isTrue();
    // Ours waits until such a vote is over.
    ByHandNode newcomer = node(NEWCOMER).between(A, B);
    TimerKey due = newcomer.timers().get(0);
    assertThat(ask(newcomer, SECOND, 1)).isEmpty();
    assertThat(ask(newcomer.after(LATER).ring(due), SECOND, 2)).hasSize(1);
  }

  @Test
  void whoLosesSpaceVotesWithTheRestAtOnceAndWhoGetsSomeDoesNotYet() {
    ByHandNode member = settled(B, A, C, true);
    assertThat(ask(member.between(NEWCOMER, C), FIRST, 1).get(0).claim().voting())
        .isEqualTo(new Zone(NEWCOMER.bits() + 1, B.bits()));
    // The newcomer is gone again: its space may carry a vote of it for a lease.
    assertThat(ask(member.between(A, C), FIRST, 2).get(0).claim().voting())
        .isEqualTo(new Zone(NEWCOMER.bits() + 1, B.bits()));
  }

  @Test
  void withSigmasRulesMembersQueueAndAYieldGoesToTheEarliest() {
    ByHandNode member = settled(B, A, C, true);
    GrantId grant = ask(member, SECOND, 1).get(0).reply().state();
    assertThat(ask(member, FIRST, 1).get(0).reply().isYours()).isFalse();
    ZoneYield yield = new ZoneYield("x", new WaitingRequest(SECOND, LEASE, 2), grant);
    List<ZoneVote> votes = member.receive(C, yield).sent(ZoneVote.class);
    assertThat(votes).anyMatch(vote -> vote.reply().to().equals(FIRST) && vote.reply().isYours());
    // What comes twice gives no other vote away, and nobody yields for another.
    assertThat(member.receive(C, yield).sent(ZoneVote.class))
        .noneMatch(vote -> vote.reply().isYours());
    GrantId present = votes.get(0).reply().state();
    ZoneYield foreign = new ZoneYield("x", new WaitingRequest(FIRST, LEASE, 3), present);
    assertThat(member.receive(C, foreign).sent(ZoneVote.class)).isEmpty();
  }

  @Test
  void withTheStrawmansRulesNobodyWaits() {
    ByHandNode member = settled(B, A, C, false);
    ask(member, SECOND, 1);
    assertThat(ask(member, FIRST, 1).get(0).reply().isYours()).isFalse();
    assertThat(member.receive(C, new ZoneRelease("x", SECOND)).sent(ZoneVote.class)).isEmpty();
    assertThat(member.entries()).isZero();
    assertThat(ask(member, FIRST, 2).get(0).reply().isYours()).isTrue();
  }

  @Test
  void nobodyReleasesForAnother() {
    ByHandNode member = settled(B, A, C, true);
    ask(member, FIRST, 1);
    member.receive(C, new ZoneRelease("x", FIRST));
    assertThat(ask(member, SECOND, 1).get(0).reply().isYours()).isFalse();
  }
}
