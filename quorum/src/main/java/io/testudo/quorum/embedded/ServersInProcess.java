package io.testudo.quorum.embedded;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Servers in this process, on one loop. */
final class ServersInProcess implements ServerPlacement {
  private final Function<ServerId, ServerKeyring> keys;
  private final WireTypes types;
  private final Function<ServerId, List<Machine<ClientId>>> machines;
  private final Gate gate;
  private final LinkLimits limits;
  private final Disks disks;
  private final Consumer<Throwable> whenBroken;
  private final ServerLoops loops = ServerLoops.start(1);

  /**
   * Makes a home.
   *
   * @param whenBroken hears that a server failed, which is silent from then on
   */
  ServersInProcess(
      Function<ServerId, ServerKeyring> keys,
      WireTypes types,
      Function<ServerId, List<Machine<ClientId>>> machines,
      Gate gate,
      LinkLimits limits,
      Disks disks,
      Consumer<Throwable> whenBroken) {
    this.keys = keys;
    this.types = types;
    this.machines = machines;
    this.gate = gate;
    this.limits = limits;
    this.disks = disks;
    this.whenBroken = whenBroken;
  }

  @Override
  public PlacedServer begin(ServerId id, int port) throws IOException {
    NettyServer server =
        new NettyServer(loops, ServerCredentials.hmac(keys.apply(id)), gate, limits, types);
    Here begun = new Here(id, server);
    try {
      StateCodec codec = new StateCodec(types);
      int count = machines.apply(id).size();
      for (int i = 0; i < count; i++) {
        int machine = i;
        server.add(
            () -> machines.apply(id).get(machine),
            loop -> Ledger.on(disks.open(id, machine, loop), codec),
            event -> {},
            whenBroken);
      }
      var unused = LoopbackPorts.bind(server::bind, port);
      return begun;
    } catch (RuntimeException | IOException e) {
      begun.stop();
      throw e;
    }
  }

  @Override
  public void close() {
    loops.close();
  }

  private final class Here implements PlacedServer {
    private final ServerId id;
    private final NettyServer server;

    Here(ServerId id, NettyServer server) {
      this.id = id;
      this.server = server;
    }

    @Override
    public InetSocketAddress awaitReady() {
      return server.address();
    }

    @Override
    public NettyServer server() {
      return server;
    }

    @Override
    public void stop() {
      server.close();
      disks.release(id);
    }

    /** Within one process nothing ends more suddenly than this. */
    @Override
    public void kill() {
      stop();
    }
  }
}
