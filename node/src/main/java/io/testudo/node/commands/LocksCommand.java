package io.testudo.node.commands;

import com.google.common.collect.ImmutableList;
import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.LockCensus;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.inquiry.Inquirer.Answers;
import io.testudo.mutex.protocol.LockList;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.log.Printable;
import io.testudo.node.watch.ListedLock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code testudo locks}: who holds and who waits. */
@Command(
    name = "locks",
    description = {
      "Shows who holds which lock and who waits for it.",
      "Only what b+1 servers say is shown: at least one of them is correct."
    },
    footerHeading = "%nExample:%n",
    footer = "  testudo locks nightly/")
public final class LocksCommand implements Subcommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      description = "Only names that start so; by default all that this client may read.")
  private @Nullable String prefix;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  /** For picocli. */
  public LocksCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    List<String> prefixes = ListedPrefixes.of(config, prefix);
    try (ClusterClient cluster = ClusterClient.connect(config)) {
      boolean any = false;
      for (String backend : config.common().lock().backends()) {
        for (String each : prefixes) {
          any |= show(cluster, backend, each);
        }
      }
      if (!any) {
        output.text("No lock is in use.");
      }
      return ExitCode.OK;
    }
  }

  private boolean show(ClusterClient cluster, String backend, String each)
      throws InterruptedException {
    Duration patience = timeout.orAsConfigured(cluster.config());
    Answers<LockList> answers = cluster.questions().lockLists(backend, each, patience);
    int heard = answers.pages().keySet().size();
    if (heard < cluster.thresholds().quorum()) {
      throw new CommandException(
          "%d of %d servers told of their locks, %d are needed; run 'testudo doctor'."
              .formatted(
                  heard, cluster.config().cluster().servers(), cluster.thresholds().quorum()));
    }
    ImmutableList<LockCensus.Entry> entries = LockCensus.of(answers.pages(), cluster.thresholds());
    entries.forEach(entry -> output.row(ListedLock.of(entry, backend), text(entry)));
    return !entries.isEmpty();
  }

  private static String text(LockCensus.Entry entry) {
    String holder =
        entry
            .holder()
            .map(
                it ->
                    String.format(
                        Locale.ROOT,
                        "held by %s, fence %d, for %.1f s more, say %d servers",
                        it.user().client(),
                        it.token(),
                        it.remainingNanos() / 1e9,
                        it.servers()))
            .orElse("changes hands");
    String waiters =
        entry.waiters().isEmpty()
            ? ""
            : "; waiting: "
                + entry.waiters().stream()
                    .map(user -> user.client().toString())
                    .collect(Collectors.joining(", "));
    return Printable.of(entry.lock()) + ": " + holder + waiters;
  }
}
