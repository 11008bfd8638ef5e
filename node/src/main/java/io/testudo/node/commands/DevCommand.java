package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.config.CommonSettings;
import io.testudo.client.config.LockSettings;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Signals;
import io.testudo.node.Subcommand;
import io.testudo.node.local.FreePorts;
import io.testudo.node.local.LocalCluster;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.node.setup.ClusterPlan;
import io.testudo.node.setup.DeletedTree;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.SecurityMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo dev}: a cluster for development in one process. */
@Command(
    name = "dev",
    description = {
      "Runs a whole cluster in one process, for development, until Ctrl-C.",
      "It prints the client configuration to use."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo dev --servers 4 --byzantine 1",
      "  TESTUDO_CONFIG=... testudo lock demo -- echo mine"
    })
public final class DevCommand implements Subcommand {
  private static final String HOST = "127.0.0.1";

  @Option(
      names = "--servers",
      defaultValue = "4",
      paramLabel = "N",
      description = "How many servers (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = {"--byzantine", "-b"},
      defaultValue = "1",
      paramLabel = "B",
      description = "How many of them may lie (default: ${DEFAULT-VALUE}).")
  private int byzantine;

  @Option(
      names = "--backend",
      defaultValue = LockSettings.DEFAULT_BACKEND,
      paramLabel = "NAME",
      description = "The lock protocol (default: ${DEFAULT-VALUE}).")
  private String backend = LockSettings.DEFAULT_BACKEND;

  @Option(
      names = "--max-hold",
      defaultValue = "30s",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "The longest that a lock is held without renewal (default: ${DEFAULT-VALUE}).")
  private Duration maxHold = Duration.ofSeconds(30);

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Keep the cluster here, and go on with it if it is here already; "
              + "without it everything is in memory and forgotten.")
  private @Nullable Path data;

  @Option(
      names = "--port",
      defaultValue = "0",
      paramLabel = "PORT",
      description = "The port of the first server, the others follow; free ones by default.")
  private int port;

  @Mixin private Output output;

  /** For picocli. */
  public DevCommand() {}

  private record Row(String event, int servers, int byzantine, String clientConfig) {}

  @Override
  public Integer call() throws InterruptedException, IOException {
    if (data != null) {
      return run(new ClusterDirectory(data), /* inMemory= */ false);
    }
    Path temporary = Files.createTempDirectory("testudo-dev");
    try {
      return run(new ClusterDirectory(temporary.resolve("dev")), /* inMemory= */ true);
    } finally {
      DeletedTree.delete(temporary);
    }
  }

  private int run(ClusterDirectory directory, boolean inMemory) throws InterruptedException {
    if (!directory.exists()) {
      var unused = directory.make(plan());
    }
    // What was made earlier counts more than the options of today.
    Path clientConfig = directory.clientConfig(ClusterPlan.ADMIN).toAbsolutePath();
    ClientConfig client = ClientConfig.read(clientConfig);
    BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    boolean interrupt = Signals.onSignal("INT", () -> ends.add(ExitCode.OK));
    boolean term = Signals.onSignal("TERM", () -> ends.add(ExitCode.OK));
    LocalCluster cluster =
        LocalCluster.start(
            directory,
            client.cluster().servers(),
            inMemory,
            (machine, cause) -> ends.add(ExitCode.INTERNAL));
    try {
      output.row(
          new Row(
              "ready",
              client.cluster().servers(),
              client.cluster().byzantine(),
              clientConfig.toString()),
          text(client, clientConfig, interrupt && term));
      return ends.take();
    } finally {
      cluster.close();
    }
  }

  private String text(ClientConfig client, Path clientConfig, boolean heard) {
    return """
    %d servers run, of which %d may lie%s. In another shell:
      export %s=%s
      testudo lock demo -- echo mine
      testudo status
    %s\
    """
        .formatted(
            client.cluster().servers(),
            client.cluster().byzantine(),
            data == null ? ", in memory" : ", in " + data,
            ClientConfig.VARIABLE,
            clientConfig,
            heard ? "Ctrl-C ends them." : "Kill this process to end them.");
  }

  private ClusterPlan plan() {
    try {
      LockTiming timing = LockTiming.standard().withMaxHold(maxHold);
      return new ClusterPlan(
          "dev",
          SecurityMode.HMAC,
          byzantine,
          endpoints(),
          new CommonSettings(
              new LockSettings(backend, ImmutableSortedMap.of(), byzantine, timing),
              Mode.SEALED_STATEMENTS),
          ImmutableSortedSet.of("client"));
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private ImmutableList<Endpoint> endpoints() {
    List<Integer> ports = new ArrayList<>();
    if (port == 0) {
      ports.addAll(FreePorts.find(servers));
    } else {
      for (int index = 0; index < servers; index++) {
        ports.add(port + index);
      }
    }
    return ports.stream()
        .map(each -> new Endpoint(HOST, each))
        .collect(ImmutableList.toImmutableList());
  }
}
