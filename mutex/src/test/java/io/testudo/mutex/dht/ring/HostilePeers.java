package io.testudo.mutex.dht.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.Lease;
import io.testudo.mutex.client.LockClient;
import io.testudo.mutex.dht.overlay.Goodbye;
import io.testudo.mutex.dht.overlay.Hop;
import io.testudo.mutex.dht.overlay.MemberHello;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.sigma.Locate;
import io.testudo.mutex.dht.wire.NodeAddress;
import io.testudo.mutex.dht.wire.RingLetter;
import io.testudo.mutex.dht.wire.RingTypes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.netty.HostResolver;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyPeer;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.RandomMessages;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Peers that say what they should not: the member goes on, and the others have their locks. With
 * keys of either kind.
 */
@Timeout(120)
abstract class HostilePeers {
  private static final Duration GUARD = Duration.ofSeconds(60);
  private static final int GARBAGE_CONNECTIONS = 40;

  static final int MEMBERS = 6;

  @AutoClose final EmbeddedRing ring;

  final RingNode member;

  HostilePeers(RingKeys keys) {
    this.ring = EmbeddedRing.start(MEMBERS, RingProtocols.find("sigma-dht").orElseThrow(), keys);
    this.member = ring.member(0);
  }

  final void assertServes() throws InterruptedException {
    try (LockClient client = LockClient.at(ring.client("honest")).closesConnections().build();
        Lease lease = client.lock("orders").tryAcquire(GUARD).orElseThrow()) {
      assertThat(lease.isHeld()).isTrue();
    }
    for (int number : ring.living()) {
      NodeView view = ring.member(number).view();
      assertThat(view.restores()).isZero();
      assertThat(view.joined()).isTrue();
      assertThat(view.known()).isEqualTo(MEMBERS - 1);
    }
  }

  @Test
  void bytesOfStrangersEndTheirConnectionsOnly() throws Exception {
    Random random = new Random(3);
    for (int i = 0; i < GARBAGE_CONNECTIONS; i++) {
      byte[] bytes = new byte[1 + random.nextInt(2_000)];
      random.nextBytes(bytes);
      if (i % 2 == 0) {
        bytes[0] = 0; // A length that may be.
      }
      try (Socket socket = new Socket(member.address().getAddress(), member.address().getPort())) {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        socket.shutdownOutput();
        while (socket.getInputStream().read() >= 0) {
          // Until the member has ended it.
        }
      } catch (SocketException e) {
        // It has.
      }
    }
    assertServes();
    assertThat(member.peer().accepted()).isLessThan(20);
  }

  /** A client with keys, which may contend for some locks and nothing else. */
  private final class Intruder implements NettyPeer.Mail, AutoCloseable {
    private final NettyPeer peer;
    private final NodeId id;
    private final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();

    Intruder(String principal) {
      RingNode known = ring.client(principal, "mallory/"); // So that it is known.
      known.close();
      this.peer =
          NettyPeer.beside(
              null,
              HostResolver.ofSystem(),
              ring.keys().client(principal),
              LinkLimits.standard(),
              RingTypes.ALL);
      this.id = NodeNames.client(principal, peer.session());
      peer.deliverTo(this);
    }

    void say(NodeId from, NodeId to, Message payload) {
      Endpoint at =
          new Endpoint(member.address().getAddress().getHostAddress(), member.address().getPort());
      RingLetter letter =
          new RingLetter(
              to,
              from,
              ImmutableList.of(new NodeAddress(from, new Endpoint("127.0.0.1", 9))),
              payload);
      peer.execute(() -> peer.dial(at, letter));
    }

    @Override
    public void accepted(ClientId from, Message message) {}

    @Override
    public void dialled(Endpoint from, @Nullable String of, Message message) {
      heard.add(message);
    }

    Message next() throws InterruptedException {
      Message message = heard.poll(GUARD.toSeconds(), TimeUnit.SECONDS);
      assertThat(message).isNotNull();
      return message;
    }

    @Override
    public void close() {
      peer.close();
    }
  }

  @Test
  void aClientIsNoMemberAndContendsForNothingButItsLocks() throws Exception {
    try (Intruder mallory = new Intruder("mallory")) {
      mallory.say(mallory.id, member.id(), new MemberHello());
      assertThat(mallory.next()).isInstanceOf(NoRight.class);
      Locate orders = new Locate(mallory.id, "orders", 0);
      mallory.say(mallory.id, member.id(), new Hop(1, false, 5, 0, orders));
      assertThat(mallory.next()).isInstanceOf(NoRight.class);
      mallory.say(mallory.id, member.id(), new Hop(2, true, 5, 0, orders));
      assertThat(mallory.next()).isInstanceOf(NoRight.class);
      Locate own = new Locate(mallory.id, "mallory/x", 0);
      mallory.say(mallory.id, member.id(), new Hop(3, false, member.id().bits(), 0, own));
      assertThat(mallory.next()).isInstanceOf(RingLetter.class);
    }
    assertServes();
  }

  @Test
  void whoLacksTheRightToALockHearsItAtOnce() {
    try (LockClient client =
        LockClient.at(ring.client("bob", "shop/")).closesConnections().build()) {
      assertThatExceptionOfType(NotAllowedException.class)
          .isThrownBy(() -> client.lock("bank/vault").acquire());
    }
  }

  @Test
  void whateverAClientSaysNoMemberStops() throws Exception {
    RandomMessages messages = new RandomMessages(RingTypes.PAYLOADS, Entropy.seeded(11));
    try (Intruder mallory = new Intruder("mallory")) {
      for (int i = 0; i < 2_000; i++) {
        mallory.say(mallory.id, i % 3 == 0 ? new NodeId(i) : member.id(), messages.next());
      }
      mallory.say(mallory.id, member.id(), new Goodbye());
      Locate own = new Locate(mallory.id, "mallory/x", 0);
      mallory.say(mallory.id, member.id(), new Hop(5_000, false, member.id().bits(), 0, own));
      while (!(mallory.next() instanceof RingLetter)) {
        // Refusals come before.
      }
    }
    assertServes();
  }
}
