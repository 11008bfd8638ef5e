package io.testudo.quorum.embedded;

import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.runtime.FatalHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** The child process of {@link ServersInChildren}: one server of a cluster. */
final class ChildServer implements ChildMain.Servers {
  private final ServersInProcess placement;
  private final ServerPlacement.PlacedServer server;
  private final InetSocketAddress address;

  private ChildServer(
      ServersInProcess placement, ServerPlacement.PlacedServer server, InetSocketAddress address) {
    this.placement = placement;
    this.server = server;
    this.address = address;
  }

  /** The program's class, the key file, the directory of journals, how many servers, the port. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ChildMain.run(
        () ->
            start(
                make(arguments[0]),
                ServerKeyring.read(Path.of(arguments[1])),
                Disks.in(Path.of(arguments[2])),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4])));
  }

  private static ServerProgram make(String program) throws IOException {
    try {
      return Class.forName(program).asSubclass(ServerProgram.class).getConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IOException("cannot make a " + program, e);
    }
  }

  private static ChildServer start(
      ServerProgram program, ServerKeyring keys, Disks disks, int servers, int port)
      throws IOException {
    ServersInProcess placement =
        new ServersInProcess(
            any -> keys,
            program.types(),
            id -> program.machines(id, servers),
            Gate.everybody(),
            LinkLimits.standard(),
            disks,
            FatalHandler::halt);
    try {
      ServerPlacement.PlacedServer server = placement.begin(keys.server(), port);
      return new ChildServer(placement, server, server.awaitReady());
    } catch (IOException | RuntimeException e) {
      placement.close();
      throw e;
    }
  }

  @Override
  public List<Integer> ports() {
    return List.of(address.getPort());
  }

  @Override
  public void close() {
    server.stop();
    placement.close();
  }
}
