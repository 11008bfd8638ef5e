package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Need;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.PingClient;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.ping.Survey;
import io.testudo.quorum.ping.Survey.Await;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.StateCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several clients on one thread: the end of one concerns it alone. */
@Timeout(60)
class ClientLoopsTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ClientCredentials ALICE = ClientCredentials.open("town", "alice");
  private static final Survey ALL = new Survey(Await.ALL, SECONDS.toNanos(30));

  private final ServerLoops serverLoops = ServerLoops.start(1);
  private final ClientLoops loops = ClientLoops.start(1);

  @AfterEach
  void stop() {
    loops.close();
    serverLoops.close();
  }

  private NettyClient connect(InetSocketAddress server) {
    return NettyClient.connect(loops, List.of(server), ALICE, LinkLimits.standard(), PingTypes.ALL);
  }

  private static ClientMachine pinger(NettyClient client) {
    return client.start(
        new PingClient(Need.PING.thresholds(1, 0), SECONDS.toNanos(30), Entropy.seeded(1)),
        event -> {});
  }

  @Test
  void aClientThatEndsLeavesTheOthersServed() throws IOException {
    try (NettyServer server =
        new NettyServer(
            serverLoops,
            ServerCredentials.open("town", S0),
            Gate.everybody(),
            LinkLimits.standard(),
            PingTypes.ALL)) {
      server.add(
          () -> new PingServer(S0, 1),
          loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
          event -> {},
          broken -> {});
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (NettyClient stays = connect(server.address())) {
        NettyClient ends = connect(server.address());
        ClientMachine ended = pinger(ends);
        ended.call(ALL).join();
        assertThat(stays.session()).isNotEqualTo(ends.session());
        ends.close();

        assertThatThrownBy(() -> ended.call(ALL).join()).hasCauseInstanceOf(ClosedException.class);
        assertThat(pinger(stays).call(ALL).join().of(S0).claimed()).isEqualTo(1);
      }
    }
  }

  @Test
  void aClientThatEndsLeavesNoConnectionThatIsStillBeingMade() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      NettyClient client = connect((InetSocketAddress) silent.getLocalSocketAddress());
      try (Socket begun = silent.accept()) {
        client.close();

        byte[] hello = begun.getInputStream().readAllBytes(); // To the end, which must come.
        assertThat(hello.length).isLessThan(LinkLimits.standard().frames().frameBytes());
      }
    }
  }
}
