package io.testudo.node.commands;

import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.cluster.Grant;
import io.testudo.quorum.cluster.Right;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo client add}: one more principal. */
@Command(
    name = "add",
    description = {
      "Makes keys and a configuration for one more principal, and grants it rights.",
      "Servers learn of it from their cluster files, when they get SIGHUP."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo client add alice --dir prod --rights lock,read --prefix locks/",
      "  kill -HUP PID   # of each server, once it has the new cluster file"
    })
public final class ClientAddCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "The principal.")
  private String name;

  @Option(
      names = "--rights",
      required = true,
      split = ",",
      paramLabel = "RIGHT",
      description = "Any of lock, read, submit, order, administer, separated by commas.")
  private List<Right> rights = new ArrayList<>();

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "Only for names that start so; for all names by default. May be repeated.")
  private List<String> prefixes = new ArrayList<>();

  @Option(
      names = "--dir",
      defaultValue = ".",
      paramLabel = "DIR",
      description = "The directory that 'testudo init' made (default: the present one).")
  private Path directory = Path.of(".");

  @Mixin private Output output;

  /** For picocli. */
  public ClientAddCommand() {}

  private record Row(
      String principal, String config, List<String> clusterFiles, List<String> outdatedKeys) {}

  @Override
  public Integer call() {
    ClusterDirectory.Added added = new ClusterDirectory(directory).addClient(name, grants());
    List<String> files = added.clusterFiles().stream().map(Path::toString).toList();
    output.row(
        new Row(name, added.config().toString(), files, added.outdated()), text(added, files));
    return ExitCode.OK;
  }

  private List<Grant> grants() {
    try {
      List<String> covered = prefixes.isEmpty() ? List.of("") : prefixes;
      return covered.stream()
          .map(prefix -> Grant.of(name, EnumSet.copyOf(rights), prefix))
          .toList();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private String text(ClusterDirectory.Added added, List<String> files) {
    StringBuilder text = new StringBuilder();
    text.append("%s may now use the cluster with %s%n".formatted(name, added.config()));
    text.append("These name it; bring them to the servers and send SIGHUP:%n".formatted());
    files.forEach(file -> text.append("  %s%n".formatted(file)));
    if (rights.contains(Right.READ)
        && !rights.contains(Right.SUBMIT)
        && !rights.contains(Right.ORDER)) {
      text.append(
          "%s can see who holds locks, but cannot read objects that are sealed: only who may"
                  .formatted(name)
              + " submit or order gets the key to check seals, since with it one can seal, too.%n"
                  .formatted());
    }
    if (!added.outdated().isEmpty()) {
      text.append(
          "The keys of %s cannot check all that %s seals: give both the same prefixes.%n"
              .formatted(String.join(", ", added.outdated()), name));
    }
    return text.toString().stripTrailing();
  }
}
