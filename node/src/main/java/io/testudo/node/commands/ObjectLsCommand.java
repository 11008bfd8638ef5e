package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ObjectCensus;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code testudo object ls}: which objects there are. */
@Command(
    name = "ls",
    description = {
      "Lists objects: newest version, type, and bytes that a server keeps of state and history.",
      "Only what b+1 servers say is shown: at least one of them is correct."
    },
    footerHeading = "%nExample:%n",
    footer = "  testudo object ls config/")
final class ObjectLsCommand implements Subcommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      description = "Only names that start so; by default all that this client may read.")
  private @Nullable String prefix;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  private record Row(String object, long version, int servers, String type, long bytes) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    try (ClusterClient cluster = ClusterClient.connect(config)) {
      boolean any = false;
      for (String each : ListedPrefixes.of(config, prefix)) {
        any |= show(cluster, each);
      }
      if (!any) {
        output.text("There is no object.");
      }
      return ExitCode.OK;
    }
  }

  private boolean show(ClusterClient cluster, String each) throws InterruptedException {
    ImmutableList<ObjectCensus.Entry> entries =
        entries(cluster, each, timeout.orAsConfigured(cluster.config()));
    for (ObjectCensus.Entry entry : entries) {
      String type = TypeNames.of(entry.type());
      output.row(
          new Row(entry.object(), entry.version(), entry.servers(), type, entry.bytes()),
          "%s\tversion %d\t%s\t%d bytes"
              .formatted(Printable.of(entry.object()), entry.version(), type, entry.bytes()));
    }
    return !entries.isEmpty();
  }

  /** The objects under a prefix. */
  static ImmutableList<ObjectCensus.Entry> entries(
      ClusterClient cluster, String each, Duration patience) throws InterruptedException {
    return ObjectCensus.of(WholeLists.ask(cluster, each, patience).pages(), cluster.thresholds());
  }
}
