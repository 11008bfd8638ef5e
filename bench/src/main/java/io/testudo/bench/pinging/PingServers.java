package io.testudo.bench.pinging;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.wire.StateCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The servers of a measured cluster, on one loop of this process, like those of the floor. */
final class PingServers implements ChildMain.Servers {
  private final ServerLoops loops = ServerLoops.start(1);
  private final List<NettyServer> servers = new ArrayList<>();

  private PingServers() {}

  /** The child process: the mode, the directory with the keys, the number of servers. */
  public static void main(String[] args) throws Exception {
    ChildMain.run(
        () -> start(PingSecurity.of(args[0]), Path.of(args[1]), Integer.parseInt(args[2])));
  }

  static PingServers start(PingSecurity security, Path directory, int count) throws IOException {
    PingServers started = new PingServers();
    try {
      for (ServerId id : ServerSet.firstN(count)) {
        started.add(id, security.read(directory, id), count);
      }
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void add(ServerId id, ServerCredentials credentials, int count) throws IOException {
    NettyServer server =
        new NettyServer(loops, credentials, Gate.everybody(), LinkLimits.standard(), PingTypes.ALL);
    servers.add(server);
    server.add(
        new PingServer(id, count),
        loop -> Ledger.on(new MemoryJournal(), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
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
