package io.testudo.node.commands;

import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.setup.ClusterDirectory;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Endpoint;
import io.testudo.quorum.cluster.Grant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo client add}: one more principal. */
@Command(
    name = "add",
    description = {
      "Makes keys and a configuration for one more principal, and grants it rights.",
      "Servers learn of it from their cluster files, some seconds after these have changed."
    },
    customSynopsis = "testudo client add [OPTIONS] --rights RIGHTS NAME",
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo client add alice --dir prod --rights lock,read --prefix locks/",
      "  kill -HUP PID   # of each server with its new file, if 5 s are too long"
    })
public final class ClientAddCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "The principal.")
  private String name;

  @Option(
      names = "--rights",
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
      names = "--ring-member",
      paramLabel = "HOST:PORT",
      converter = Endpoints.class,
      description = "It is a member of a ring, which others reach there; it needs no --rights.")
  private @Nullable Endpoint ringMember;

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
      String principal, String config, List<String> clusterFiles, List<String> newKeys) {}

  @Override
  public Integer call() {
    ClusterDirectory cluster = new ClusterDirectory(directory);
    if (ringMember == null && rights.isEmpty()) {
      throw CommandException.usage("--rights is missing: name at least one right.");
    }
    ClusterDirectory.Changed changed =
        ringMember == null
            ? cluster.addClient(name, grants())
            : cluster.addRingMember(name, ringMember);
    String config =
        (ringMember == null ? cluster.clientConfig(name) : cluster.ringMemberConfig(name))
            .toString();
    output.row(
        new Row(name, config, texts(changed.clusterFiles()), texts(changed.clients())),
        "%s may now use the cluster with %s%n%s"
            .formatted(name, config, whatToBring(changed, directory)));
    return ExitCode.OK;
  }

  static List<String> texts(List<Path> paths) {
    return paths.stream().map(Path::toString).toList();
  }

  /** Which files have to go where, after the principals of a cluster have changed. */
  static String whatToBring(ClusterDirectory.Changed changed, Path directory) {
    StringBuilder text = new StringBuilder();
    text.append(
        "Bring these to the servers, each its own; they take them by themselves, or at once on SIGHUP:%n"
            .formatted());
    changed.clusterFiles().stream()
        .filter(file -> !directory.equals(file.getParent()))
        .forEach(file -> text.append("  %s%n".formatted(file)));
    if (!changed.clients().isEmpty()) {
      text.append(
          "Then bring the new client.keys and cluster.txt to these, who take them by themselves:%n"
              .formatted());
      changed.clients().forEach(own -> text.append("  %s%n".formatted(own)));
    }
    return text.toString().stripTrailing();
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
}
