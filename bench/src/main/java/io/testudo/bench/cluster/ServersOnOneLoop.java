package io.testudo.bench.cluster;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.embedded.ChildMain;
import io.testudo.quorum.journal.FileJournal;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.spi.Journal;
import io.testudo.quorum.wire.StateCodec;
import io.testudo.quorum.wire.WireTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The servers of a measured cluster, on one loop of this process, like those of the floor. */
public final class ServersOnOneLoop implements ChildMain.Servers {
  private final ServerLoops loops = ServerLoops.start(1);
  private final List<NettyServer> servers = new ArrayList<>();
  private final List<Journal> opened = new ArrayList<>();
  private final HeapTeller heap;
  private final WireTypes types;

  private ServersOnOneLoop(WireTypes types, HeapTeller heap) {
    this.types = types;
    this.heap = heap;
  }

  /** How a server shows who it is. */
  public interface Credentials {
    ServerCredentials of(ServerId server) throws IOException;
  }

  /** Where a server keeps what it must not forget. */
  public interface Journals {
    Journal open(ServerId server, Executor loop);
  }

  /** Starts the servers, each with one machine, on free ports of loopback. */
  public static ServersOnOneLoop start(
      int count,
      WireTypes types,
      Credentials credentials,
      Function<ServerId, Machine<ClientId>> machines,
      Journals journals)
      throws IOException {
    ServersOnOneLoop started = new ServersOnOneLoop(types, HeapTeller.start());
    try {
      for (ServerId id : ServerSet.firstN(count)) {
        started.add(id, credentials.of(id), () -> machines.apply(id), journals);
      }
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void add(
      ServerId id,
      ServerCredentials credentials,
      Supplier<Machine<ClientId>> machine,
      Journals journals)
      throws IOException {
    NettyServer server =
        new NettyServer(loops, credentials, Gate.everybody(), LinkLimits.standard(), types);
    servers.add(server);
    server.add(
        machine,
        loop -> Ledger.on(opened(journals.open(id, loop)), new StateCodec(types)),
        event -> {},
        broken -> {});
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private Journal opened(Journal journal) {
    opened.add(journal);
    return journal;
  }

  /** Those of the servers, then the one that tells of the heap. */
  @Override
  public List<Integer> ports() {
    return Stream.concat(
            servers.stream().map(server -> server.address().getPort()), Stream.of(heap.port()))
        .toList();
  }

  @Override
  public void close() {
    servers.forEach(NettyServer::close);
    loops.close();
    try {
      for (Journal journal : opened) {
        if (journal instanceof FileJournal file) {
          file.close();
        }
      }
      heap.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
