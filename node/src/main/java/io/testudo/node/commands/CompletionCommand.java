package io.testudo.node.commands;

import io.testudo.node.ExitCode;
import io.testudo.node.NeedsAllCommands;
import io.testudo.node.Subcommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code testudo completion}: what a shell needs to complete commands. */
@Command(
    name = "completion",
    description = "Prints a script with which bash and zsh complete commands and options.",
    footerHeading = "%nExample:%n",
    footer = "  source <(testudo completion)")
@NeedsAllCommands
public final class CompletionCommand implements Subcommand {
  @Spec private CommandSpec spec;

  /** For picocli. */
  public CompletionCommand() {}

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
    root.getOut().flush();
    return ExitCode.OK;
  }
}
