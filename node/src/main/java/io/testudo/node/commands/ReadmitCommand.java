package io.testudo.node.commands;

import io.testudo.mutex.client.BackoffBackend;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.client.ClusterClient;
import io.testudo.node.config.ClientConfig;
import io.testudo.node.config.LockBackends;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.Right;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code testudo readmit}: a server that lost its disk learns from others how far ranks went. */
@Command(
    name = "readmit",
    description = {
      "Tells servers that lost their disk how far the lock ranks of the others went. Run it once",
      "after 'testudo server --readmit', when all others run; needs the right to administer."
    },
    footerHeading = "%nExample:%n",
    footer = "  testudo readmit")
public final class ReadmitCommand implements Subcommand {
  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  /** For picocli. */
  public ReadmitCommand() {}

  private record Row(List<String> remember, int servers) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.read();
    config.require(Right.ADMINISTER, "");
    int servers = config.cluster().servers();
    boolean backoff =
        LockBackends.of(config.common().lock()).stream()
            .anyMatch(backend -> backend.name().equals(BackoffBackend.NAME));
    if (!backoff) {
      output.row(new Row(List.of(), servers), "No lock protocol of this cluster needs it.");
      return ExitCode.OK;
    }
    try (ClusterClient cluster = ClusterClient.connect(config)) {
      ServerSet done = cluster.readmitLocks(timeout.orAsConfigured(config));
      List<String> names = new ArrayList<>();
      done.forEach(server -> names.add(server.toString()));
      output.row(
          new Row(names, servers),
          "%d of %d servers have a memory of locks%s"
              .formatted(
                  names.size(),
                  servers,
                  names.size() == servers ? "." : ": run it again for all."));
      return names.size() == servers ? ExitCode.OK : ExitCode.FAILED;
    }
  }
}
