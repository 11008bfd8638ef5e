package io.testudo.node;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code testudo} without a subcommand: shows what there is. */
@Command(
    name = "testudo",
    description = "Locks and replicated objects on servers of which some may lie.",
    subcommands = CommandLine.HelpCommand.class,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:a violation was found, or the command could not do its work",
      "2:the command line is wrong",
      "69:the launcher found no Java 17, or its build failed",
      "70:an error in Testudo itself"
    })
final class RootCommand implements Runnable {
  private static final int FEWEST_HELP_COLUMNS = 60;

  /** Longer lines are hard to read. */
  private static final int MOST_HELP_COLUMNS = 100;

  @Spec private CommandSpec spec;

  static int helpColumns(Screen screen) {
    return Math.min(MOST_HELP_COLUMNS, Math.max(FEWEST_HELP_COLUMNS, screen.columns()));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
