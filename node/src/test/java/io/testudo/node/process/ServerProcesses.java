package io.testudo.node.process;

import io.testudo.node.Main;
import io.testudo.node.local.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Servers from {@code testudo init}, on loopback, each a process of its own. */
final class ServerProcesses {
  private final Testudo testudo;
  private final Path directory;
  private final List<Testudo.Run> servers = new ArrayList<>();

  private ServerProcesses(Testudo testudo, Path directory) {
    this.testudo = testudo;
    this.directory = directory;
  }

  /** Makes a cluster and starts its servers. */
  static ServerProcesses start(Testudo testudo, Path directory, int servers, String... options)
      throws IOException, InterruptedException {
    ServerProcesses cluster = make(testudo, directory, servers, options);
    for (int index = 0; index < servers; index++) {
      cluster.servers.add(cluster.launch(index));
    }
    for (Testudo.Run server : cluster.servers) {
      server.awaitOutput("listens");
    }
    return cluster;
  }

  /** Makes a cluster. */
  static ServerProcesses make(Testudo testudo, Path directory, int servers, String... options) {
    String addresses =
        FreePorts.find(servers).stream()
            .map(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    // In this process, which has its classes already.
    StringWriter said = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(said, true),
            new PrintWriter(said, true),
            Stream.concat(
                    Stream.of("init", directory.toString(), "--servers", addresses),
                    Stream.of(options))
                .toArray(String[]::new));
    if (code != 0) {
      throw new AssertionError("no cluster: " + said);
    }
    return new ServerProcesses(testudo, directory);
  }

  private Testudo.Run launch(int index) throws IOException {
    return testudo.start("server", "--config", serverConfig(index).toString());
  }

  Path serverConfig(int index) {
    return directory.resolve("s" + index).resolve("server.conf");
  }

  Path clientConfig(String principal) {
    return directory.resolve("clients").resolve(principal).resolve("client.conf");
  }

  Testudo.Run server(int index) {
    return servers.get(index);
  }

  void kill(int index) throws IOException, InterruptedException {
    servers.get(index).signal("KILL");
    int unused = servers.get(index).awaitEnd();
  }

  void restart(int index) throws IOException, InterruptedException {
    servers.set(index, launch(index));
    servers.get(index).awaitOutput("listens");
  }
}
