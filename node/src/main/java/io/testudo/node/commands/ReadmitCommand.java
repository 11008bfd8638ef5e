package io.testudo.node.commands;

import io.testudo.client.cluster.ClusterClient;
import io.testudo.client.cluster.Observer;
import io.testudo.client.config.ClientConfig;
import io.testudo.client.status.ServerFault;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.client.Failures;
import io.testudo.node.client.Readmission;
import io.testudo.node.watch.ServerRow;
import io.testudo.ordering.client.ReadmissionProgress;
import io.testudo.ordering.client.Readmitted;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code testudo readmit}: a server that lost its disk learns from others what it must know. */
@Command(
    name = "readmit",
    description = {
      "Brings servers that lost their disk up to date with the others.",
      "It tells them how far the lock ranks of the others went and which objects there are. Run it once after "
          + "'testudo server --readmit', when all others run; it can be cut off and repeated. Needs the "
          + "rights to administer and to order all names."
    },
    footerHeading = "%nExample:%n",
    footer = "  testudo readmit")
public final class ReadmitCommand implements Subcommand {
  /** So many objects are brought up to date between two lines. */
  private static final int LINE_EVERY = 100;

  @Mixin private TimeoutOption timeout;
  @Mixin private ClientOptions client;
  @Mixin private Output output;

  /** For picocli. */
  public ReadmitCommand() {}

  private record LockRow(List<String> remember, int servers) {}

  private record ReadmittedRow(String server, int restored, int left) {}

  private record ObjectRow(List<String> complete, int servers) {}

  @Override
  public Integer call() throws InterruptedException {
    ClientConfig config = client.readOfCluster();
    config.require(Right.ADMINISTER, "");
    config.require(Right.ORDER, "");
    try (ClusterClient cluster = ClusterClient.connect(config)) {
      Readmission readmission = new Readmission(cluster, timeout.orAsConfigured(config));
      boolean locks = false;
      @Nullable CommandException failure = null;
      try {
        locks = readmitLocks(config, readmission);
      } catch (CommandException e) {
        output.text(String.valueOf(e.getMessage()));
        failure = e;
      }
      readmitObjects(config, cluster, readmission);
      if (failure != null) {
        throw failure;
      }
      tellOfReports(cluster, timeout.orAsConfigured(config));
      return locks ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  /** What was said of a server before it came back still counts against it. */
  private void tellOfReports(ClusterClient cluster, Duration patience) throws InterruptedException {
    new Observer(cluster, patience)
        .look().servers().stream()
            .filter(server -> server.faults().contains(ServerFault.CONTRADICTS))
            .forEach(server -> output.text(ServerRow.howToClear(server.server())));
  }

  private boolean readmitLocks(ClientConfig config, Readmission readmission)
      throws InterruptedException {
    int servers = config.cluster().servers();
    boolean backoff =
        config.common().lock().protocols().stream()
            .anyMatch(backend -> backend.name().equals(BackoffProtocol.NAME));
    if (!backoff) {
      output.row(new LockRow(List.of(), servers), "No lock protocol of this cluster needs it.");
      return true;
    }
    List<String> names = names(readmission.locks());
    output.row(
        new LockRow(names, servers),
        "%d of %d servers have a memory of locks%s"
            .formatted(
                names.size(), servers, names.size() == servers ? "." : ": run it again for all."));
    return names.size() == servers;
  }

  private void readmitObjects(ClientConfig config, ClusterClient cluster, Readmission readmission)
      throws InterruptedException {
    @Nullable TestudoException failure = null;
    try (Readmission.Objects objects = readmission.objects(this::show)) {
      for (ServerId server : readmission.standing().unfinished()) {
        try {
          show(objects.readmit(server));
        } catch (TestudoException e) {
          output.text("%s was not let in: %s".formatted(server, e.problem()));
          failure = e;
        }
      }
    }
    int servers = config.cluster().servers();
    ServerSet complete = readmission.standing().complete();
    String others = names(complete.complement(servers)).stream().collect(Collectors.joining(", "));
    output.row(
        new ObjectRow(names(complete), servers),
        "%d of %d servers know which objects are new%s"
            .formatted(
                complete.size(), servers, others.isEmpty() ? "." : "; %s not.".formatted(others)));
    if (failure != null) {
      throw Failures.explain(cluster, failure, ExitCode.FAILED);
    }
    if (!others.isEmpty()) {
      throw new CommandException(
          "%s: no answer, or the memory was lost and it was not let in; start it, with --readmit if its disk was lost, and run this again."
              .formatted(others));
    }
  }

  private void show(Readmitted done) {
    output.row(
        new ReadmittedRow(done.server().toString(), done.restored(), done.left()),
        "%s was brought up to date with %d objects%s"
            .formatted(
                done.server(),
                done.restored(),
                done.left() == 0
                    ? "."
                    : "; %d more wait for a client that uses them.".formatted(done.left())));
  }

  private void show(ReadmissionProgress step) {
    switch (step.step()) {
      case NOTED ->
          output.text(
              "%s: %d of %d others took note of its loss."
                  .formatted(step.server(), step.count(), step.of()));
      case LISTED ->
          output.text(
              "%s: %s listed by %d servers."
                  .formatted(
                      step.server(),
                      step.count() == 1 ? "1 name is" : step.count() + " names are",
                      step.of()));
      case COMPLETED -> output.text("%s knows which objects are new.".formatted(step.server()));
      case RESTORED -> {
        if (step.count() % LINE_EVERY == 0) {
          output.text(
              "%s: %d of %d objects are up to date."
                  .formatted(step.server(), step.count(), step.of()));
        }
      }
    }
  }

  private static List<String> names(ServerSet servers) {
    List<String> names = new ArrayList<>();
    servers.forEach(server -> names.add(server.toString()));
    return names;
  }
}
