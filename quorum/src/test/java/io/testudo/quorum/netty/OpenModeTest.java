package io.testudo.quorum.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The mode in which nobody proves anything. */
@Timeout(60)
class OpenModeTest {
  private static final ServerId S0 = new ServerId(0);
  private static final ClientCredentials ALICE = ClientCredentials.open("town", "alice");

  private final ServerLoops loops = ServerLoops.start(1);
  private final NettyServer server =
      new NettyServer(
          loops,
          ServerCredentials.open("town", S0),
          Gate.everybody(),
          LinkLimits.standard(),
          PingTypes.ALL);

  @AfterEach
  void stop() {
    server.close();
    loops.close();
  }

  @Test
  void refusesToListenBeyondThisMachine() {
    assertThatThrownBy(() -> server.bind(new InetSocketAddress("0.0.0.0", 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stays on loopback addresses");
  }

  @Test
  void refusesToTalkBeyondThisMachine() {
    List<InetSocketAddress> elsewhere = List.of(new InetSocketAddress("192.0.2.1", 1));
    assertThatThrownBy(
            () -> NettyClient.connect(elsewhere, ALICE, LinkLimits.standard(), PingTypes.ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stays on loopback addresses");
  }

  @Test
  void pingsOnThisMachine() throws IOException {
    server.add(
        () -> new PingServer(S0, 1),
        loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (NettyClient client =
        NettyClient.connect(
            List.of(server.address()), ALICE, LinkLimits.standard(), PingTypes.ALL)) {
      assertThat(
              client
                  .start(
                      new PingClient(Need.PING.thresholds(1, 0), 20_000_000L, Entropy.seeded(1)),
                      event -> {})
                  .call(new Survey(Await.ALL, SECONDS.toNanos(30)))
                  .join()
                  .of(S0)
                  .claimed())
          .isEqualTo(1);
    }
  }
}
