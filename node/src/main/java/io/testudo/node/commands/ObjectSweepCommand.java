package io.testudo.node.commands;

import io.testudo.client.TestudoClient;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.ObjectCensus;
import io.testudo.client.config.ClientConfig;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Printable;
import io.testudo.quorum.Right;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code testudo object sweep}: deletes objects whose time is over. */
@Command(
    name = "sweep",
    description = {
      "Deletes the objects whose time to live is over by the clock of this machine.",
      "Nobody sees them any more, but they take room until somebody reads, changes or sweeps."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all that were over are gone", "1:some could not be swept"},
    footerHeading = "%nExample:%n",
    footer = "  testudo object sweep sessions/")
final class ObjectSweepCommand implements Subcommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      description = "Only names that start so; by default all that this client may read.")
  private @Nullable String prefix;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  private int swept;

  private record SweptRow(String object) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    Duration patience = timeout.orAsConfigured(config);
    int failed = 0;
    try (ClusterClient cluster = ClusterClient.connect(config);
        ObjectBatches batches = new ObjectBatches(config, patience)) {
      for (String each : ListedPrefixes.of(config, prefix)) {
        for (ObjectCensus.Entry entry : ObjectLsCommand.entries(cluster, each, patience)) {
          failed += sweep(batches.nextClient(), config, entry.object(), patience) ? 0 : 1;
          batches.kept(entry.bytes());
        }
      }
    }
    if (swept == 0 && failed == 0) {
      output.text("No object is past its time.");
    }
    return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** False if nobody knows. */
  private boolean sweep(
      TestudoClient connected, ClientConfig config, String name, Duration patience)
      throws InterruptedException {
    if (!config.cluster().rights().allows(config.principal(), Right.ORDER, name)) {
      config.require(Right.SUBMIT, name);
    }
    try {
      if (ObjectAction.await(connected.objects().any(name).withTimeout(patience).sweep())) {
        swept++;
        output.row(new SweptRow(name), Printable.of(name));
      }
      return true;
    } catch (TestudoException e) {
      output.text("%s: %s".formatted(Printable.of(name), e.getMessage()));
      return false;
    }
  }
}
