package io.testudo.quorum.netty;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.PingTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of a server that was closed: nothing. */
@Timeout(120)
class RebindTest {
  private static final ServerId S0 = new ServerId(0);
  private static final int TIMES = 200;

  private static NettyServer bound(ServerLoops loops, InetSocketAddress address)
      throws IOException {
    NettyServer server =
        new NettyServer(
            loops,
            ServerCredentials.open("town", S0),
            Gate.everybody(),
            LinkLimits.standard(),
            PingTypes.ALL);
    server.bind(address);
    return server;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aPortIsFreeAsSoonAsItsServerIsClosed(int threads) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<RawPeer> peers = new ArrayList<>();
    try (ServerLoops loops = ServerLoops.start(threads)) {
      for (int i = 0; i < TIMES; i++) {
        NettyServer server = bound(loops, address);
        address = server.address();
        // Some are accepted when it closes, some are about to be.
        peers.add(new RawPeer(address));
        peers.add(new RawPeer(address));
        server.close();
      }
      for (RawPeer peer : peers) {
        peer.assertClosed();
        peer.close();
      }
    }
  }

  @Test
  void aPortIsFreeAsSoonAsItsServerAndLoopsAreClosed() throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (int i = 0; i < TIMES / 10; i++) {
      RawPeer peer;
      try (ServerLoops loops = ServerLoops.start(2);
          NettyServer server = bound(loops, address)) {
        address = server.address();
        peer = new RawPeer(address);
      }
      peer.assertClosed();
      peer.close();
    }
  }
}
