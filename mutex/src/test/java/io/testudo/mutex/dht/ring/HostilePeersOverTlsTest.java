package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.overlay.Acquaintances;
import io.testudo.mutex.dht.overlay.AskMembers;
import io.testudo.mutex.dht.overlay.MemberHello;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Probe;
import io.testudo.mutex.dht.overlay.ProbeReply;
import io.testudo.mutex.dht.wire.NodeAddress;
import io.testudo.mutex.dht.wire.RingLetter;
import io.testudo.mutex.dht.wire.RingTypes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyPeer;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where each member shows a certificate of its own; and a member that lies about who it is. */
class HostilePeersOverTlsTest extends HostilePeers {
  private static final NodeId INVENTED = NodeNames.member("nobody");

  HostilePeersOverTlsTest() {
    super(RingKeys.tls(EmbeddedRing.NAME));
  }

  /** A member that says of one who is not there that it lives, at its own address. */
  private final class Liar implements NettyPeer.Mail, AutoCloseable {
    private final ServerLoops loops = ServerLoops.start(1);
    private final NettyPeer peer;
    private final NodeId id;
    private final CountDownLatch answered = new CountDownLatch(1);

    Liar(int number) throws Exception {
      String principal = EmbeddedRing.principalOf(number);
      this.id = NodeNames.member(principal);
      this.peer =
          NettyPeer.listening(
              loops,
              ring.keys().member(principal),
              Gate.everybody(),
              HostResolver.ofSystem(),
              LinkLimits.standard(),
              RingTypes.ALL);
      peer.deliverTo(this);
      peer.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private Endpoint at(InetSocketAddress address) {
      return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
    }

    private RingLetter letter(NodeId from, Message payload) {
      Endpoint own = at(peer.address());
      return new RingLetter(
          RingLetter.WHOEVER,
          from,
          ImmutableList.of(new NodeAddress(id, own), new NodeAddress(INVENTED, own)),
          payload);
    }

    void say(Message payload) {
      peer.execute(() -> peer.dial(at(member.address()), letter(id, payload)));
    }

    /** The member has dialled this one, since it believes the invented one to be here. */
    @Override
    public void accepted(ClientId from, Message message) {
      if (message instanceof RingLetter letter
          && letter.to().equals(INVENTED)
          && letter.payload() instanceof Probe) {
        ProbeReply lie = new ProbeReply(ImmutableList.of());
        assertThat(peer.answer(from, letter(INVENTED, lie))).isTrue();
        assertThat(peer.answer(from, letter(INVENTED, new MemberHello()))).isTrue();
        // What follows over the same connection is heard after that.
        assertThat(peer.answer(from, letter(id, new AskMembers()))).isTrue();
      }
    }

    @Override
    public void dialled(Endpoint from, @Nullable String of, Message message) {
      heard(message);
    }

    private void heard(Message message) {
      if (message instanceof RingLetter letter && letter.payload() instanceof Acquaintances) {
        answered.countDown();
      }
    }

    @Override
    public void close() {
      peer.close();
      loops.close();
    }
  }

  @Test
  void aMemberCannotBeAnotherToThoseWhoDialIt() throws Exception {
    int number = ring.join();
    ring.leave(number); // So that it is known, and its place is free.
    try (Liar liar = new Liar(number)) {
      liar.say(new MemberHello());
      liar.say(new ProbeReply(ImmutableList.of(INVENTED)));
      assertThat(liar.answered.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(member.view().known()).isEqualTo(MEMBERS); // The liar, and not the invented one.
    }
  }
}
