package io.testudo.bench.peers.own;

import io.testudo.bench.driver.PeerConnection;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.PeerServer;
import io.testudo.bench.driver.PeerServers;
import io.testudo.bench.driver.PeerSystem;
import io.testudo.client.ClientThreads;
import io.testudo.node.Main;
import io.testudo.node.log.Logging;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Testudo as {@code testudo init} deploys it, each server in a process of its own that is {@code
 * testudo server}, or one that differs from it only in that it keeps all in memory.
 */
public final class TestudoDriver {
  /** The argument for servers that keep all in memory. */
  public static final String MEMORY = "memory";

  /** The argument for a last server that lies when it is told to; how follows. */
  public static final String LIAR = "liar";

  private static final int SERVERS = 4;
  private static final int LIARS = 1;

  /** As many principals as the most callers that a case has. */
  private static final int MOST_CLIENTS = 64;

  private TestudoDriver() {}

  /** {@link #MEMORY} or {@link #LIAR}, or nothing for servers that sync before they answer. */
  public static void main(String[] args) throws InterruptedException {
    Logging.install();
    boolean inMemory = List.of(args).contains(MEMORY);
    int liar = List.of(args).indexOf(LIAR);
    PeerDriver.main(servers -> start(servers, inMemory, liar < 0 ? null : args[liar + 1]));
  }

  private static PeerSystem start(PeerServers servers, boolean inMemory, @Nullable String lie)
      throws IOException, InterruptedException {
    PeerServer liar = null;
    Path cluster = servers.directory().resolve("cluster");
    List<Integer> ports = PeerServers.freePorts(SERVERS);
    init(cluster, ports);
    for (int i = 0; i < SERVERS; i++) {
      String name = "s" + i;
      Path config = cluster.resolve(name).resolve("server.conf");
      // Nobody asks, and its port may be another's.
      Files.writeString(config, "admin = none\n", StandardOpenOption.APPEND);
      if (lie != null && i == SERVERS - 1) {
        liar = servers.startListener(name, LyingServer.class.getName(), config.toString(), lie);
      } else if (inMemory) {
        servers.startJava(name, MemoryServer.class.getName(), config.toString());
      } else {
        servers.startJava(name, Main.class.getName(), "server", "--config", config.toString());
      }
    }
    for (int port : ports) {
      servers.awaitPort(port);
    }
    return new Cluster(cluster, ClientThreads.start(1), liar);
  }

  private static void init(Path cluster, List<Integer> ports) throws IOException {
    StringWriter said = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(said, true),
            new PrintWriter(said, true),
            "init",
            cluster.toString(),
            "--byzantine",
            Integer.toString(LIARS),
            "--servers",
            ports.stream()
                .map(port -> PeerServers.LOOPBACK + ":" + port)
                .collect(Collectors.joining(",")),
            "--clients",
            IntStream.range(0, MOST_CLIENTS)
                .mapToObj(TestudoDriver::principal)
                .collect(Collectors.joining(",")));
    if (code != 0) {
      throw new IOException("no cluster could be made: " + said);
    }
  }

  private static String principal(int client) {
    return "client-" + client;
  }

  /** Clients share threads, as is advised for many in one process. */
  private record Cluster(Path directory, ClientThreads threads, @Nullable PeerServer liar)
      implements PeerSystem {
    @Override
    public String version() {
      return "Testudo " + PeerServers.versionOf(Main.class);
    }

    @Override
    public PeerConnection connect(int index) throws IOException, InterruptedException {
      return new TestudoConnection(
          directory.resolve("clients").resolve(principal(index)).resolve("client.conf"), threads);
    }

    @Override
    public void lie(boolean lies) throws IOException {
      if (liar == null) {
        throw new IOException("no server was started that can lie");
      }
      liar.tell(lies ? LyingServer.LIE : LyingServer.BE_HONEST);
    }

    @Override
    public void close() {
      threads.close();
    }
  }
}
