package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.Acquaintances;
import io.testudo.mutex.dht.overlay.AskMembers;
import io.testudo.mutex.dht.overlay.HopReceipt;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Probe;
import io.testudo.mutex.dht.wire.NodeAddress;
import io.testudo.mutex.dht.wire.RingLetter;
import io.testudo.mutex.dht.wire.RingSamples;
import io.testudo.mutex.dht.wire.RingTypes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyPeer;
import io.testudo.quorum.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Whose letters a member takes. */
class RingPostTest {
  private static final NodeId SELF = NodeNames.member("m0");
  private static final ClientId ALICE = new ClientId("alice", 7, 0);
  private static final ClientId MEMBER = new ClientId("m1", 5, 0);
  private static final RingCertificates CERTIFICATES = new RingCertificates(SELF, () -> null);
  private static final Endpoint HOME = new Endpoint("127.0.0.1", 7001);
  private static final Endpoint ELSEWHERE = new Endpoint("192.0.2.1", 80);

  @AutoClose
  private final NettyPeer peer =
      NettyPeer.beside(
          null,
          HostResolver.ofSystem(),
          ClientCredentials.open("ring", "m0"),
          LinkLimits.standard(),
          RingTypes.ALL);

  private final List<NodeId> heard = new ArrayList<>();
  private final List<@Nullable String> blamed = new ArrayList<>();

  private final RingPost.Inbox inbox =
      new RingPost.Inbox() {
        @Override
        public void take(NodeId from, Message message, @Nullable String speaker) {
          heard.add(from);
          blamed.add(speaker);
        }

        @Override
        public void aside(Message message) {}
      };

  private final RingPost post = new RingPost(peer, SELF, true, CERTIFICATES, inbox);

  private void say(ClientId peer, NodeId from, NodeId to) {
    post.accepted(peer, new RingLetter(to, from, ImmutableList.of(), new AskMembers()));
  }

  private void tell(ClientId peer, NodeId from, Message payload, NodeId of, Endpoint at) {
    ImmutableList<NodeAddress> told = ImmutableList.of(new NodeAddress(of, at));
    post.accepted(peer, new RingLetter(SELF, from, told, payload));
  }

  @Test
  void takesLettersOfNodesThatTheirKeysAreFor() {
    NodeId client = NodeNames.client("alice", 7);
    NodeId member = NodeNames.member("alice");
    say(ALICE, client, SELF);
    say(ALICE, member, RingLetter.WHOEVER);
    assertThat(heard).containsExactly(client, member);
    assertThat(blamed).containsExactly("alice", "alice");
  }

  @Test
  void noClientNamesAnAddressThatMembersHaveNotTold() {
    post.setHome(HOME);
    NodeId alice = NodeNames.client("alice", 7);
    NodeId bob = NodeNames.client("bob", 9);
    tell(ALICE, alice, new AskMembers(), bob, ELSEWHERE);
    assertThat(post.addressOf(bob)).isNull();
    // It is reached through this node, to which it is connected.
    tell(ALICE, alice, new AskMembers(), alice, ELSEWHERE);
    assertThat(post.addressOf(alice)).isEqualTo(HOME);
    // One that a member has told may be where it is.
    tell(MEMBER, NodeNames.member("m1"), new Probe(), NodeNames.member("m1"), ELSEWHERE);
    tell(ALICE, alice, new AskMembers(), alice, ELSEWHERE);
    assertThat(post.addressOf(alice)).isEqualTo(ELSEWHERE);
  }

  @Test
  void isNoMembersWordBeforeItHasSaidWhatOnlyMembersMay() {
    NodeId bob = NodeNames.client("bob", 9);
    // The id of a member is bound to a principal, and any has one: that of members has rights.
    tell(MEMBER, NodeNames.member("m1"), new AskMembers(), bob, ELSEWHERE);
    assertThat(post.addressOf(bob)).isNull();
    tell(MEMBER, NodeNames.member("m1"), new Probe(), bob, ELSEWHERE);
    assertThat(post.addressOf(bob)).isEqualTo(ELSEWHERE);
    assertThat(blamed).containsExactly("m1", null);
  }

  @Test
  void takesNoneInTheNameOfAnother() {
    say(ALICE, NodeNames.member("m1"), SELF);
    say(ALICE, NodeNames.client("alice", 8), SELF);
    say(ALICE, NodeNames.client("bob", 7), SELF);
    assertThat(heard).isEmpty();
  }

  private void hear(@Nullable String principal, NodeId from, Message payload) {
    post.dialled(ELSEWHERE, principal, new RingLetter(SELF, from, ImmutableList.of(), payload));
  }

  @Test
  void hearsOverAConnectionThatItOpenedOnlyWhoHasProvenToBeThere() {
    NodeId second = NodeNames.member("m2");
    hear("m1", NodeNames.member("m1"), new Probe());
    hear("m1", second, new Probe());
    hear("m1", second, new Acquaintances(ImmutableList.of()));
    assertThat(heard).containsExactly(NodeNames.member("m1"));
    assertThat(post.addressOf(second)).isNull();
    hear(null, second, new Probe()); // Where members share keys there is nothing to tell it by.
    assertThat(heard).containsExactly(NodeNames.member("m1"), second);
  }

  @Test
  void aClientIsToldByOneMemberWhatOthersSay() {
    RingPost client = new RingPost(peer, SELF, false, CERTIFICATES, inbox);
    NodeId second = NodeNames.member("m2");
    Acquaintances known = new Acquaintances(ImmutableList.of());
    client.dialled(HOME, "m1", new RingLetter(SELF, second, ImmutableList.of(), new HopReceipt(1)));
    assertThat(heard).containsExactly(second);
    // But neither how they vote nor whom they know: one that lies could take their place.
    ImmutableList<NodeAddress> told = ImmutableList.of(new NodeAddress(second, ELSEWHERE));
    Message vote = Objects.requireNonNull(RingSamples.byName().get("ZoneVote"));
    client.dialled(HOME, "m1", new RingLetter(SELF, second, told, vote));
    client.dialled(HOME, "m1", new RingLetter(SELF, second, told, known));
    assertThat(heard).containsExactly(second);
    assertThat(client.addressOf(second)).isNull();
    assertThat(client.home()).isNull();
    // Where members share keys nothing tells them apart.
    client.dialled(HOME, null, new RingLetter(SELF, second, ImmutableList.of(), vote));
    assertThat(heard).containsExactly(second, second);
    client.dialled(
        HOME, "m1", new RingLetter(SELF, NodeNames.member("m1"), ImmutableList.of(), known));
    assertThat(client.home()).isEqualTo(HOME);
  }

  /** Nor that it has many others to tell of. */
  @Test
  void whoHasShownItselfIsNotLostByWhatAnotherSays() {
    NodeId first = NodeNames.member("m1");
    NodeId liar = NodeNames.member("m2");
    ClientId itself = new ClientId("m2", 6, 0);
    hear("m1", first, new Probe());
    tell(itself, liar, new Probe(), first, HOME);
    assertThat(post.placesOf(first)).containsExactly(HOME, ELSEWHERE);
    for (int i = 0; i < 33_000; i++) {
      tell(itself, liar, new Probe(), new NodeId(i), HOME);
    }
    assertThat(post.addressOf(first)).isNull();
    assertThat(post.placesOf(first)).containsExactly(ELSEWHERE);
  }

  @Test
  void takesNoneThatAreForAnother() {
    say(ALICE, NodeNames.client("alice", 7), NodeNames.member("m1"));
    assertThat(heard).isEmpty();
  }
}
