package io.testudo.node;

/** The exit codes of every command. */
public final class ExitCode {
  /** Done, and nothing was found wrong. */
  public static final int OK = 0;

  /** The command found what it looked for, such as a violation, or could not do its work. */
  public static final int FAILED = 1;

  /** The command line is wrong; nothing was done. */
  public static final int USAGE = 2;

  /** Nobody knows whether an operation happened. */
  public static final int UNKNOWN = 75;

  /** A lock was lost while a command ran under it. */
  public static final int LOST = 123;

  /** A lock was not free in time. */
  public static final int NOT_ACQUIRED = 124;

  /** A command was not run under a lock, for any other reason. */
  public static final int NOT_RUN = 125;

  /** The command that was to be run under a lock cannot be, as shells say it. */
  public static final int NOT_EXECUTABLE = 126;

  /** There is no such command to be run under a lock, as shells say it. */
  public static final int NOT_FOUND = 127;

  /** An error in Testudo itself. */
  public static final int INTERNAL = 70;

  private ExitCode() {}
}
