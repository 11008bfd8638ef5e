package io.testudo.node.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.testudo.node.Main;
import io.testudo.node.local.FreePorts;
import io.testudo.node.log.Logging;
import io.testudo.node.server.Daemon;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.ClusterPlan;
import io.testudo.node.setup.DeletedTree;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Plays what the commands do once through, so that the launcher can have the virtual machine write
 * an archive of the classes that they need: with it they start in half the time. Its own main
 * class, since no user has a use for it.
 */
public final class TrainingRun {
  private static final int SERVERS = 4;
  private static final int LIARS = 1;

  private TrainingRun() {}

  public static void main(String[] args) throws IOException {
    Logging.install();
    Path temporary = Files.createTempDirectory("testudo-training");
    List<Daemon> servers = new ArrayList<>();
    int worst = 0;
    try {
      Path directory = temporary.resolve("cluster");
      String addresses =
          FreePorts.find(SERVERS).stream()
              .map(port -> "127.0.0.1:" + port)
              .collect(Collectors.joining(","));
      worst |= run("init", directory.toString(), "--servers", addresses, "-b", "" + LIARS);
      ClusterDirectory made = new ClusterDirectory(directory);
      for (ServerId server : ServerSet.firstN(SERVERS)) {
        servers.add(Daemon.start(made.serverConfig(server)));
      }
      String config = made.clientConfig(ClusterPlan.ADMIN).toString();
      worst |= run("--help");
      worst |= run("status", "--config", config);
      worst |= run("status", "--config", config, "--json");
      worst |= run("lock", "training", "--config", config, "--json", "--", "true");
      worst |= run("locks", "--config", config, "--json");
      worst |= run("object", "incr", "training", "--config", config);
      worst |= run("object", "get", "training", "--type", "counter", "--config", config);
      worst |= run("doctor", "--config", config);
    } finally {
      servers.forEach(Daemon::close);
      DeletedTree.delete(temporary);
    }
    System.exit(worst);
  }

  private static int run(String... args) {
    return Main.run(
        new PrintWriter(Writer.nullWriter(), true),
        new PrintWriter(new OutputStreamWriter(System.err, UTF_8), true),
        args);
  }
}
