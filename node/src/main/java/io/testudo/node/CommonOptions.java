package io.testudo.node;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that every command has, so that none can forget them. */
final class CommonOptions {
  static final String DEBUG = "--debug";
  static final String VERBOSE = "--verbose";
  private static final String HELP = "--help";
  private static final String SHORT_HELP = "-h";

  private CommonOptions() {}

  /** Adds what is missing to the command and to all below it. */
  static void addTo(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.findOption(HELP) == null) {
      boolean shortNameIsFree = spec.findOption(SHORT_HELP) == null;
      String[] names = shortNameIsFree ? new String[] {SHORT_HELP, HELP} : new String[] {HELP};
      spec.addOption(
          OptionSpec.builder(names)
              .usageHelp(true)
              .description("Show this help and exit.")
              .build());
    }
    if (spec.findOption(DEBUG) == null) {
      spec.addOption(
          OptionSpec.builder(DEBUG)
              .description("On an error, show where in the program it arose.")
              .build());
    }
    if (spec.findOption(VERBOSE) == null) {
      spec.addOption(
          OptionSpec.builder(VERBOSE)
              .description("Log what goes on to the error stream, not only warnings.")
              .build());
    }
    command.getSubcommands().values().forEach(CommonOptions::addTo);
  }
}
