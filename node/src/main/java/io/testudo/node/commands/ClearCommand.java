package io.testudo.node.commands;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code testudo clear}: what was reported of a server is forgotten. */
@Command(
    name = "clear",
    description = {
      "Has all servers forget what was reported of one of them, and how often it is said to have "
          + "started.",
      "For operators who have looked into it; needs the right to administer."
    },
    footerHeading = "%nExample:%n",
    footer = "  testudo clear s2")
public final class ClearCommand implements Subcommand {
  @Parameters(paramLabel = "SERVER", description = "Such as s2.")
  private String name;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  /** For picocli. */
  public ClearCommand() {}

  private record Row(String server, List<String> clearedAt, int servers) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    config.require(Right.ADMINISTER, "");
    ServerId suspect = suspect(config);
    try (ClusterClient cluster = ClusterClient.connect(config)) {
      ServerSet done = cluster.questions().clear(suspect, timeout.orAsConfigured(config));
      List<String> names = new ArrayList<>();
      done.forEach(server -> names.add(server.toString()));
      output.row(
          new Row(suspect.toString(), names, config.cluster().servers()),
          "%d of %d servers have forgotten what was said of %s%s"
              .formatted(
                  names.size(),
                  config.cluster().servers(),
                  suspect,
                  names.size() == config.cluster().servers()
                      ? "."
                      : ": run it again when all answer."));
      return names.size() >= cluster.thresholds().quorum() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private ServerId suspect(ClientConfig config) {
    for (ServerId server : ServerSet.firstN(config.cluster().servers())) {
      if (server.toString().equals(name)) {
        return server;
      }
    }
    throw new CommandException(
        "The cluster has no server '%s'; name one such as s0.".formatted(name));
  }
}
