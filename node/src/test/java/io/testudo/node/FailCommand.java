package io.testudo.node;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends in each way in which a command may end badly. */
@Command(name = "fail", description = "Fails, for tests.", mixinStandardHelpOptions = true)
public final class FailCommand implements Subcommand {
  /** The ways. */
  public enum Way {
    CODE,
    USER,
    BUG,
    ERROR
  }

  @Parameters private Way way;

  public FailCommand() {}

  @Override
  public Integer call() {
    return switch (way) {
      case CODE -> ExitCode.FAILED;
      case USER ->
          throw new CommandException("no server answers at [::1]:7001;\n start one with 'serve'");
      case BUG -> throw new IllegalStateException("the impossible happened");
      case ERROR -> throw new StackOverflowError("too deep");
    };
  }
}
