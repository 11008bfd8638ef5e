package io.testudo.node;

/**
 * A command could not do its work for a reason that the user can mend. The message is one sentence
 * that says what is wrong and what to do; it is shown without a stack trace.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandException(String message) {
    super(message);
  }

  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
