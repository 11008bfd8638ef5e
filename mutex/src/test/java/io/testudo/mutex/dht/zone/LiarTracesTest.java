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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What members that lie cannot do where certificates tell whose space it is: docs/dht.md. */
class LiarTracesTest {
  private static final NodeId A = new NodeId(0x40L << 56);
  private static final NodeId B = new NodeId(0x80L << 56);
  private static final NodeId C = new NodeId(0xC0L << 56);
  private static final NodeId D = new NodeId(0);
  private static final NodeId INVENTED = new NodeId(0x70L << 56);
  private static final Bytes SEAL = Bytes.wrap(new byte[] {7});

  private static final Entropy SEED = Entropy.seeded(5);

  /** Longer than a request waits for one member, and than a longest lease. */
  private static final long PATIENCE = 800;

  private static final long LATER = 60_000;

  /** Those that this node has met. */
  private final Set<NodeId> met = new HashSet<>(Set.of(A, B, C, D));

  private final MemberCertificates certificates =
      new MemberCertificates() {
        @Override
        public @Nullable MemberCertificate of(NodeId id, Moment now) {
          return met.contains(id) ? card(id) : null;
        }

        @Override
        public boolean isGenuine(NodeId speaker, MemberCertificate certificate, Moment now) {
          return certificate.proof().equals(SEAL);
        }

        @Override
        public boolean areProofs() {
          return true;
        }
      };

  private static MemberCertificate card(NodeId id) {
    return new MemberCertificate(id, SEAL);
  }

  private ZoneSettings settings() {
    return new ZoneSettings(
        ZoneSettings.THREE_QUARTERS,
        LockTiming.standard().withMaxHold(Duration.ofSeconds(3)),
        certificates,
        true,
        2_000_000_000L,
        3_000_000_000L,
        true);
  }

  private ByHandNode node(NodeId id) {
    return new ByHandNode(id, (node, overlay) -> new ZoneBackend(node, overlay, settings(), SEED));
  }

  private static RequestId begin(ByHandNode client, long call) {
    client.call(call, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    return client.sent(ZoneRequest.class).get(0).waiter().id();
  }

  private static ZoneVote vote(
      ZoneRequest to, RequestId owner, NodeId member, NodeId below, NodeId... nearby) {
    WaitingRequest waiter = to.waiter();
    VoteReply reply =
        new VoteReply(
            new ReplicaName("x", 0),
            waiter.id(),
            Optional.of(owner),
            Optional.empty(),
            new GrantId(member.bits(), 1),
            waiter.attempt(),
            waiter.attempt(),
            0);
    Zone zone = new Zone(below.bits() + 1, member.bits());
    return new ZoneVote(
        reply,
        new ZoneClaim(card(member), card(below), card(below), zone, 1),
        ImmutableList.copyOf(nearby));
  }

  private static ZoneVote vote(ZoneRequest to, NodeId member, NodeId below, NodeId... nearby) {
    return vote(to, to.waiter().id(), member, below, nearby);
  }

  /** Each of the three is looked at. */
  @Test
  void aClaimOfWhichOneCertificateIsForgedCountsNothing() {
    for (int forged = 0; forged < 3; forged++) {
      ByHandNode client = node(A).between(D, B);
      begin(client, 1);
      ZoneRequest request = asked(client);
      client.receive(A, vote(request, A, D)).receive(C, vote(request, C, B));
      client.receive(D, vote(request, new RequestId(5, C), D, C));
      ZoneVote good = vote(request, B, A);
      ZoneClaim claim = good.claim();
      MemberCertificate[] shown = {claim.own(), claim.below(), claim.above()};
      shown[forged] = new MemberCertificate(shown[forged].id(), Bytes.wrap(new byte[] {8}));
      ZoneClaim other = new ZoneClaim(shown[0], shown[1], shown[2], claim.voting(), 1);
      ZoneVote bad = new ZoneVote(good.reply(), other, good.nearby());
      assertThat(client.receive(B, bad).completed(1)).isFalse();
      assertThat(client.receive(C, good).completed(1)).isFalse(); // Nor of another as its own.
      assertThat(client.receive(B, good).completed(1)).isTrue();
    }
  }

  private static ZoneRequest asked(ByHandNode client) {
    return client.sent(ZoneRequest.class).get(0);
  }

  private static TimerKey due(ByHandNode client) {
    return client.timers().get(client.timers().size() - 1);
  }

  /** B and D are liars that share all space among themselves, and quick. */
  @Test
  void quickLiarsDoNotShareAllSpaceBeforeOthersAreHeard() {
    ByHandNode client = node(A).between(D, B);
    begin(client, 1);
    ZoneRequest request = asked(client);
    assertThat(client.receive(B, vote(request, B, D, C)).completed(1)).isFalse();
    // It is named by then, and is waited for though all that there is votes for this one.
    assertThat(client.receive(D, vote(request, D, B)).completed(1)).isFalse();
    RequestId other = new RequestId(5, C);
    assertThat(client.receive(C, vote(request, other, C, B)).completed(1)).isFalse();
    assertThat(client.after(PATIENCE).ring(due(client)).completed(1)).isFalse();
  }

  @Test
  void whoHasHadItsTimeIsNotWaitedForAndNotAgainForAWhile() {
    ByHandNode client = node(A).between(D, B);
    begin(client, 1);
    ZoneRequest request = asked(client);
    client.receive(A, vote(request, A, D));
    client.receive(B, vote(request, B, A, C, INVENTED));
    assertThat(client.receive(C, vote(request, C, B)).completed(1)).isFalse();
    TimerKey due = due(client);
    // D and the invented one are silent. All that count are asked again: the votes may be old.
    ZoneRequest again = asked(client.after(PATIENCE).ring(due));
    client.receive(A, vote(again, A, D));
    client.receive(B, vote(again, B, A));
    assertThat(client.receive(C, vote(again, C, B)).completed(1)).isTrue();
    client.after(100);
    client.call(2, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    ZoneRequest next = asked(client);
    client.receive(A, vote(next, A, D));
    client.receive(B, vote(next, B, A));
    assertThat(client.receive(C, vote(next, C, B)).completed(2)).isTrue();
  }

  @Test
  void whoNamesEverMoreMembersDoesNotKeepARequestForEver() {
    ByHandNode client = node(A).between(D, B);
    begin(client, 1);
    ZoneRequest request = asked(client);
    client.receive(A, vote(request, A, D));
    client.receive(C, vote(request, C, B));
    boolean entered = false;
    for (int i = 1; i <= 4 && !entered; i++) {
      NodeId fresh = new NodeId(INVENTED.bits() + i);
      entered = client.receive(B, vote(request, B, A, fresh)).completed(1);
      TimerKey due = due(client);
      entered = entered || client.after(PATIENCE - 50).ring(due).completed(1);
      List<ZoneRequest> again = client.sent(ZoneRequest.class);
      request = again.isEmpty() ? request : again.get(0);
    }
    for (NodeId member : List.of(A, B, C)) {
      NodeId below = member.equals(A) ? D : member.equals(B) ? A : B;
      entered |= client.receive(member, vote(request, member, below)).completed(1);
    }
    assertThat(entered).isTrue();
  }

  @Test
  void aClientThatStartsFirstHearsThoseThroughWhomItEnters() {
    ByHandNode client =
        new ByHandNode(
            A, false, (node, overlay) -> new ZoneBackend(node, overlay, settings(), SEED));
    client.knows(B); // A liar has answered first.
    client.call(1, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    assertThat(client.sent(ZoneRequest.class)).isEmpty();
    assertThat(client.routed(ZoneRequest.class)).isEmpty();
    TimerKey due = due(client);
    client.knows(B, C, D);
    assertThat(client.after(PATIENCE).ring(due).sent(ZoneRequest.class)).hasSize(3);
    assertThat(client.routed(ZoneRequest.class)).isEmpty(); // Nobody is to ask for it.
  }

  /** All that it knows of the ring by now are liars. */
  @Test
  void whoWasSeenLatelyIsAskedWhomeverOthersName() {
    ByHandNode client = node(A).between(D, B);
    begin(client, 1);
    client.receive(C, vote(asked(client), new RequestId(5, C), C, B));
    client.after(1_000).knows(D);
    client.call(2, Acquire.of("x", 1_000_000_000L, Acquire.FOREVER));
    assertThat(client.sent(ZoneRequest.class)).hasSize(3); // Itself, D and C.
  }

  @Test
  void membersAskOnlyForThemselves() {
    ByHandNode member = settled();
    RequestId other = new RequestId(5, C);
    ZoneRequest request = new ZoneRequest("x", new WaitingRequest(other, 1_500_000_000L, 1));
    assertThat(member.receive(D, request).sent(ZoneVote.class)).isEmpty();
    assertThat(member.deliver(request).sent(ZoneVote.class)).isEmpty();
    assertThat(member.receive(C, request).sent(ZoneVote.class)).hasSize(1);
  }

  private ByHandNode settled() {
    ByHandNode member = node(B).between(A, C);
    TimerKey due = due(member);
    return member.after(LATER).ring(due);
  }

  private static List<ZoneVote> ask(ByHandNode member, long time) {
    RequestId id = new RequestId(time, C);
    return member
        .receive(C, new ZoneRequest("x", new WaitingRequest(id, 1_500_000_000L, 1)))
        .sent(ZoneVote.class);
  }

  /** Else one liar has all space as long as those are new that it takes it from. */
  @Test
  void whoHasNoVoteYetShowsThatItIsThere() {
    ByHandNode member = node(B).between(A, C);
    TimerKey settles = due(member);
    ZoneClaim claim = ask(member, 5).get(0).claim();
    assertThat(claim.isOf(B)).isTrue();
    assertThat(claim.voting()).isEqualTo(new Zone(B.bits(), B.bits()));
    ZoneClaim later = ask(member.after(LATER).ring(settles), 6).get(0).claim();
    assertThat(later.voting()).isEqualTo(new Zone(A.bits() + 1, B.bits()));
  }

  /** All that a liar names is asked and waited for; what is left must be enough for others. */
  @Test
  void oneThatNamesManyLeavesRoomForThoseThatOthersName() {
    ByHandNode client = node(A).between(D, B);
    begin(client, 1);
    ZoneRequest request = asked(client);
    int invented = 0;
    for (int votes = 0; votes < 70; votes++) {
      NodeId[] many = new NodeId[512];
      for (int i = 0; i < many.length; i++) {
        many[i] = new NodeId(INVENTED.bits() + ++invented);
      }
      client.receive(B, vote(request, B, A, many));
    }
    client.receive(D, vote(request, D, C, C));
    assertThat(client.sent(ZoneRequest.class)).hasSize(1);
  }

  /** One of whom others say that it is there has shown nothing. */
  @Test
  void hearsayTakesNoSpaceFromAMember() {
    met.remove(INVENTED);
    ByHandNode member = settled();
    member.between(INVENTED, C, A);
    ZoneClaim claim = ask(member, 5).get(0).claim();
    assertThat(claim.below()).isEqualTo(card(A));
    assertThat(claim.voting()).isEqualTo(new Zone(A.bits() + 1, B.bits()));
    met.add(INVENTED); // It has said something over a connection.
    ZoneClaim smaller = ask(member, 6).get(0).claim();
    assertThat(smaller.voting()).isEqualTo(new Zone(INVENTED.bits() + 1, B.bits()));
  }

  @Test
  void whoseNeighboursHaveShownNothingHasNoVote() {
    met.removeAll(Set.of(A, C, D));
    ByHandNode member = node(B).between(A, C);
    TimerKey look = due(member);
    assertThat(ask(member.after(LATER), 5)).isEmpty();
    met.addAll(Set.of(A, C));
    TimerKey settles = due(member.ring(look));
    assertThat(ask(member.after(LATER).ring(settles), 6)).hasSize(1);
  }
}
