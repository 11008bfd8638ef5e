package io.testudo.bench.cluster;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The servers of a measured cluster, on one loop of this process, like those of the floor. They
 * have one machine each and keep all in memory.
 */
public final class ServersOnOneLoop implements ChildMain.Servers {
  private final ServerLoops loops = ServerLoops.start(1);
  private final List<NettyServer> servers = new ArrayList<>();

  private ServersOnOneLoop() {}

  /** How a server shows who it is. */
  public interface Credentials {
    ServerCredentials of(ServerId server) throws IOException;
  }

  /** Starts the servers on free ports of loopback. */
  public static ServersOnOneLoop start(
      int count,
      WireTypes types,
      Credentials credentials,
      Function<ServerId, Machine<ClientId>> machines)
      throws IOException {
    ServersOnOneLoop started = new ServersOnOneLoop();
    try {
      for (ServerId id : ServerSet.firstN(count)) {
        NettyServer server =
            new NettyServer(
                started.loops, credentials.of(id), Gate.everybody(), LinkLimits.standard(), types);
        started.servers.add(server);
        server.add(
            () -> machines.apply(id),
            loop -> Ledger.on(new MemoryJournal(), new StateCodec(types)),
            event -> {},
            broken -> {});
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      }
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  @Override
  public List<Integer> ports() {
    return servers.stream().map(server -> server.address().getPort()).toList();
  }

  @Override
  public void close() {
    servers.forEach(NettyServer::close);
    loops.close();
  }
}
