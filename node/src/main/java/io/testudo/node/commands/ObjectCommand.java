package io.testudo.node.commands;

import io.testudo.node.ExitCode;
import io.testudo.node.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code testudo object}: the ready objects. */
@Command(
    name = "object",
    description = {
      "Reads and changes replicated objects: counters, registers, maps, queues and logs.",
      "An object begins to be when it is first changed."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ObjectGetCommand.class,
      ObjectPutCommand.class,
      ObjectRmCommand.class,
      ObjectDeleteCommand.class,
      ObjectExpireCommand.class,
      ObjectSweepCommand.class,
      ObjectIncrCommand.class,
      ObjectCasCommand.class,
      ObjectAppendCommand.class,
      ObjectPushCommand.class,
      ObjectPopCommand.class,
      ObjectWatchCommand.class,
      ObjectLsCommand.class,
      ObjectExportCommand.class,
      ObjectImportCommand.class
    },
    exitCodeListHeading = "%nExit codes of its commands:%n",
    exitCodeList = {
      "0:done",
      "1:it did not happen, or there is no such value",
      "2:the command line is wrong",
      "75:nobody knows whether it happened; look before you do it again"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  testudo object incr visits",
      "  testudo object put config/web port 8080",
      "  testudo object get config/web port"
    })
public final class ObjectCommand implements Subcommand {
  @Spec private CommandSpec spec;

  /** For picocli. */
  public ObjectCommand() {}

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitCode.USAGE;
  }
}
