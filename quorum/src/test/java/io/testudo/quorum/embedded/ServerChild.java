package io.testudo.quorum.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ServerKeyring;
import io.testudo.quorum.netty.Gate;
import io.testudo.quorum.netty.LinkLimits;
import io.testudo.quorum.netty.NettyServer;
import io.testudo.quorum.netty.ServerCredentials;
import io.testudo.quorum.netty.ServerLoops;
import io.testudo.quorum.ping.PingServer;
import io.testudo.quorum.ping.PingTypes;
import io.testudo.quorum.runtime.Ledger;
import io.testudo.quorum.wire.StateCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A server on its journal in a process of its own, to be killed. */
final class ServerChild implements AutoCloseable {
  private static final ServerId S0 = new ServerId(0);

  private final Process process;
  private final InetSocketAddress address;

  private ServerChild(Process process, InetSocketAddress address) {
    this.process = process;
    this.address = address;
  }

  // The reader stays open: with it the child's pipe would close.
  @SuppressWarnings("resource")
  static ServerChild start(Path keys, Path data, int port) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServerChild.class.getName(),
                keys.toString(),
                data.toString(),
                Integer.toString(port))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader out = process.inputReader(UTF_8);
    String line = out.readLine();
    if (line == null) {
      process.destroyForcibly();
      throw new IOException("the server did not start");
    }
    return new ServerChild(
        process, new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(line)));
  }

  InetSocketAddress address() {
    return address;
  }

  /** As kill -9 does. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  public static void main(String[] arguments) throws Exception {
    Disks disks = Disks.in(Path.of(arguments[1]));
    NettyServer server =
        new NettyServer(
            ServerLoops.start(1),
            ServerCredentials.hmac(ServerKeyring.read(Path.of(arguments[0]))),
            Gate.everybody(),
            LinkLimits.standard(),
            PingTypes.ALL);
    server.add(
        new PingServer(S0, 1),
        loop -> Ledger.on(disks.open(S0, 0, loop), new StateCodec(PingTypes.ALL)),
        event -> {},
        broken -> System.exit(1));
    server.bind(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[2])));
    System.out.println(server.address().getPort());
    // Until it is killed, or whoever started it has ended.
    while (System.in.read() >= 0) {
      // Nothing is said to it.
    }
  }
}
