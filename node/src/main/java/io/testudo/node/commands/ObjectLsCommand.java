package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ObjectCensus;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Printable;
import io.testudo.node.watch.ListedObject;
import io.testudo.ordering.message.ObjectList;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code testudo object ls}: which objects there are. */
@Command(
    name = "ls",
    description = {
      "Lists objects with their newest versions. Servers do not know their types.",
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
    Duration patience = timeout.orAsConfigured(cluster.config());
    Answers<ObjectList> answers = cluster.objectLists(each, patience);
    int heard = answers.pages().keySet().size();
    if (heard < cluster.thresholds().quorum()) {
      throw new CommandException(
          "%d of %d servers told of their objects, %d are needed; run 'testudo doctor'."
              .formatted(
                  heard, cluster.config().cluster().servers(), cluster.thresholds().quorum()));
    }
    ImmutableList<ObjectCensus.Entry> entries =
        ObjectCensus.of(answers.pages(), cluster.thresholds());
    for (ObjectCensus.Entry entry : entries) {
      output.row(
          ListedObject.of(entry),
          "%s\tversion %d".formatted(Printable.of(entry.object()), entry.version()));
    }
    return !entries.isEmpty();
  }
}
