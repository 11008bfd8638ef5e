package io.testudo.node;

import org.jspecify.annotations.Nullable;

/**
 * A command could not do its work for a reason that the user can mend. The message is one sentence
 * that says what is wrong and what to do; it is shown without a stack trace.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  public CommandException(String message) {
    super(message);
    this.exitCode = ExitCode.FAILED;
  }

  public CommandException(String message, Throwable cause) {
    this(ExitCode.FAILED, message, cause);
  }

  /** The command line asks for what cannot be; nothing was done. */
  public static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message, null);
  }

  /** The same, with what was noticed first. */
  public static CommandException usage(String message, Throwable cause) {
    return new CommandException(ExitCode.USAGE, message, cause);
  }

  /** With an exit code of its own, for commands that tell failures apart. */
  public CommandException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** What the process ends with. */
  public int exitCode() {
    return exitCode;
  }
}
