package io.testudo.node.commands;

import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.setup.ClusterDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo client remove}: one principal less. */
@Command(
    name = "remove",
    description = {
      "Removes a principal, and makes new keys for all who share group keys with it.",
      "When they have their new files, servers refuse it, and everybody's older keys. Bring the new keys to"
          + " the "
          + "clients before that if nobody is to wait, and after it if the principal is to be stopped at"
          + " once."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo client remove alice --dir prod",
      "  kill -HUP PID   # of each server with its new file, if 5 s are too long"
    })
public final class ClientRemoveCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "The principal.")
  private String name;

  @Option(
      names = "--dir",
      defaultValue = ".",
      paramLabel = "DIR",
      description = "The directory that 'testudo init' made (default: the present one).")
  private Path directory = Path.of(".");

  @Mixin private Output output;

  /** For picocli. */
  public ClientRemoveCommand() {}

  private record Row(String principal, List<String> clusterFiles, List<String> newKeys) {}

  @Override
  public Integer call() {
    ClusterDirectory.Changed changed = new ClusterDirectory(directory).removeClient(name);
    output.row(
        new Row(
            name,
            ClientAddCommand.texts(changed.clusterFiles()),
            ClientAddCommand.texts(changed.clients())),
        "%s is removed.%n%s".formatted(name, ClientAddCommand.whatToBring(changed, directory)));
    return ExitCode.OK;
  }
}
