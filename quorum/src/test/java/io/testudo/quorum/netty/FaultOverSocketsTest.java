package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.FrameGuard;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ClusterSecrets;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Ping;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.StateCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server on a socket whose machine throws. */
@Timeout(60)
class FaultOverSocketsTest {
  private static final ServerId S0 = new ServerId(0);
  private static final String CLUSTER = "town";
  private static final long THROW = 101;
  private static final long ERROR = 102;
  private static final long LONG_ANSWER = 103;

  private static final class Fragile extends Machine<ClientId> {
    Fragile() {
      onMessage(Ping.class, this::onPing);
    }

    private void onPing(ClientId from, Ping ping) {
      if (ping.nonce() == THROW) {
        throw new ArithmeticException("a peer can do this");
      } else if (ping.nonce() == ERROR) {
        throw new StackOverflowError("a peer cannot");
      } else if (ping.nonce() == LONG_ANSWER) {
        send(from, new Nobodys());
      }
      send(from, new Pong(ping.nonce(), S0, 1, Incarnations.none(1)));
    }
  }

  /** Of no wire type. */
  private record Nobodys() implements Message {}

  /** Whether writes come to the disk. */
  private volatile boolean diskHangs;

  private final class Disk implements Journal {
    private final MemoryJournal memory = new MemoryJournal();

    @Override
    public List<byte[]> recover() {
      return memory.recover();
    }

    @Override
    public void recoverAgain(Consumer<List<byte[]>> then) {
      memory.recoverAgain(then);
    }

    @Override
    public void append(byte[] record) {
      memory.append(record);
    }

    @Override
    public void whenDurable(Runnable then) {
      memory.whenDurable(then);
    }

    @Override
    public void prove(Runnable then) {
      if (!diskHangs) {
        memory.prove(then);
      }
    }

    @Override
    public void replaceAll(List<byte[]> snapshot) {
      memory.replaceAll(snapshot);
    }

    @Override
    public long sizeBytes() {
      return memory.sizeBytes();
    }
  }

  private final ServerLoops loops = ServerLoops.start(1);
  private final ClusterSecrets secrets = ClusterSecrets.create(new SecureRandom());
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
  private final List<RawPeer> peers = new ArrayList<>();
  private final NettyServer server =
      new NettyServer(
          loops,
          ServerCredentials.hmac(secrets.serverKeyring(CLUSTER, S0)),
          Gate.everybody(),
          LinkLimits.standard(),
          PingTypes.ALL);

  @BeforeEach
  void start() throws IOException {
    server.add(
        Fragile::new,
        loop -> Ledger.on(new Disk(), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken::complete);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stop() throws IOException {
    for (RawPeer peer : peers) {
      peer.close();
    }
    server.close();
    loops.close();
    secrets.close();
  }

  private final class Member {
    final RawPeer peer = new RawPeer(server.address());
    final FrameGuard guard;

    Member(String principal) throws Exception {
      peers.add(peer);
      ClientKeyring keys = secrets.clientKeyring(CLUSTER, principal, 1, Set.of());
      guard = peer.authenticate(keys, S0, 1);
    }

    void say(long nonce) throws IOException {
      byte[] frame =
          RawPeer.CODEC.encode(List.of(new Envelope(1, new Ping(nonce, Incarnations.none(1)))));
      peer.sendFrame(RawPeer.sealed(guard, frame));
    }

    void ask(long nonce) throws Exception {
      say(nonce);
      peer.awaitAnswer(guard);
    }
  }

  @Test
  void servesTheOthersAndDoesNotHearWhoMadeItThrowForAWhile() throws Exception {
    Member alice = new Member("alice");
    Member mallory = new Member("mallory");
    mallory.ask(1);
    mallory.say(THROW);
    mallory.say(THROW);
    while (server.counters().count(Refusals.PUNISHED) == 0) {
      alice.ask(1);
    }
    assertThat(server.counters().counts())
        .containsEntry(Refusals.FAULT, 1L)
        .containsEntry(Refusals.PUNISHED, 1L);
    assertThat(broken).isNotDone();
    assertThat(server.probe(Duration.ofSeconds(30)).get(40, SECONDS)).isEmpty();
  }

  @Test
  void endsAsAWholeOnAnError() throws Exception {
    Member alice = new Member("alice");
    alice.ask(1);
    new Member("mallory").say(ERROR);
    assertThat(broken.get(30, SECONDS)).isInstanceOf(StackOverflowError.class);
    alice.peer.assertClosed();
    assertThat(server.probe(Duration.ofMillis(1)).get(30, SECONDS)).containsExactly("Fragile");
  }

  @Test
  void endsWhenItsLoopDies() throws Exception {
    Member alice = new Member("alice");
    alice.ask(1);
    // As Netty does itself when the loop has thrown an Error.
    var unused = loops.group().shutdownGracefully(0, 0, SECONDS);
    assertThat(broken.get(30, SECONDS)).hasMessageContaining("event loop ended");
  }

  @Test
  void anAnswerThatCannotBeSentDoesNotHoldUpTheNext() throws Exception {
    Member alice = new Member("alice");
    alice.ask(LONG_ANSWER);
    assertThat(server.counters().counts()).containsEntry(Refusals.UNSENDABLE, 1L);
  }

  @Test
  void isNotHealthyWhenItsDiskHangs() throws Exception {
    assertThat(server.probe(Duration.ofSeconds(30)).get(40, SECONDS)).isEmpty();
    diskHangs = true;
    CompletableFuture<List<String>> first = server.probe(Duration.ofMillis(1));
    assertThat(first.get(30, SECONDS)).containsExactly("Fragile");
    diskHangs = false;
    assertThat(server.probe(Duration.ofSeconds(30)).get(40, SECONDS)).isEmpty();
  }
}
