package io.testudo.bench.cluster;

import io.testudo.quorum.netty.ClientCredentials;
import io.testudo.quorum.netty.ClientLoops;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyClient;
import io.testudo.quorum.wire.WireTypes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of one cluster, each a process of its own as the servers see it. All are on one loop, as
 * the clients of the floor are: more threads than cores would measure how they take turns.
 */
public final class ConnectedClients implements AutoCloseable {
  private final ClientLoops loops = ClientLoops.start(1);
  private final List<InetSocketAddress> servers;
  private final ClientCredentials credentials;
  private final WireTypes types;
  private final List<NettyClient> clients = new ArrayList<>();

  ConnectedClients(List<Integer> ports, ClientCredentials credentials, WireTypes types) {
    this.servers =
        ports.stream()
            .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .toList();
    this.credentials = credentials;
    this.types = types;
  }

  /** One more. */
  public NettyClient connect() {
    NettyClient client =
        NettyClient.connect(loops, servers, credentials, LinkLimits.standard(), types);
    clients.add(client);
    return client;
  }

  @Override
  public void close() {
    clients.forEach(NettyClient::close);
    loops.close();
  }
}
