package io.testudo.node.commands;

import io.testudo.node.ExitCode;
import io.testudo.node.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code testudo client}: who may use a cluster. */
@Command(
    name = "client",
    description = "Adds principals to a cluster, and removes them.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ClientAddCommand.class, ClientRemoveCommand.class},
    footerHeading = "%nExample:%n",
    footer = "  testudo client add alice --dir prod --rights lock,read --prefix locks/")
public final class ClientCommand implements Subcommand {
  @Spec private CommandSpec spec;

  /** For picocli. */
  public ClientCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitCode.USAGE;
  }
}
