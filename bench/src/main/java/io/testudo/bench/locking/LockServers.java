package io.testudo.bench.locking;

import com.google.common.base.Splitter;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.runtime.MemoryJournal;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Servers that grant locks, on one loop of this process, like those of the ping. */
final class LockServers implements ChildMain.Servers {
  private final ServerLoops loops = ServerLoops.start(1);
  private final List<NettyServer> servers = new ArrayList<>();

  private LockServers() {}

  /** The child process: the directory with the keys, the number of servers, the protocols. */
  public static void main(String[] args) throws Exception {
    List<LockProtocol> protocols =
        Splitter.on(',').splitToStream(args[2]).map(LockProtocol::valueOf).toList();
    ChildMain.run(() -> start(Path.of(args[0]), Integer.parseInt(args[1]), protocols));
  }

  static LockServers start(Path directory, int count, List<LockProtocol> protocols)
      throws IOException {
    LockServers started = new LockServers();
    try {
      for (ServerId id : ServerSet.firstN(count)) {
        started.add(id, ServerCredentials.hmac(LockKeys.read(directory, id)), protocols);
      }
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void add(ServerId id, ServerCredentials credentials, List<LockProtocol> protocols)
      throws IOException {
    WireTypes types = LockProtocol.types(protocols);
    NettyServer server =
        new NettyServer(loops, credentials, Gate.everybody(), LinkLimits.standard(), types);
    servers.add(server);
    for (LockProtocol protocol : protocols) {
      server.add(
          protocol.backend().serverHalf(id),
          loop -> Ledger.on(new MemoryJournal(), new StateCodec(types)),
          event -> {},
          broken -> {});
    }
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
