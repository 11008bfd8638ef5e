package io.testudo.node;

import io.testudo.node.log.Printable;
import io.testudo.quorum.ConfigurationException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells errors in one sentence on the error stream, and the exit code that goes with them. */
final class ErrorReport {
  private final PrintWriter err;
  private final boolean debug;

  ErrorReport(PrintWriter err, boolean debug) {
    this.err = err;
    this.debug = debug;
  }

  int badUsage(ParameterException e) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    List<String> suggestions =
        e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
    String hint =
        suggestions.isEmpty() ? "" : "; did you mean " + String.join(" or ", suggestions) + "?";
    say(command, e.getMessage() + hint);
    err.println("Run '" + command + " --help' for its options.");
    return ExitCode.USAGE;
  }

  int failure(Exception e, CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    if (e instanceof CommandException told) {
      say(name, String.valueOf(told.getMessage()));
      trace(told);
      return told.exitCode();
    }
    if (e instanceof ConfigurationException) {
      say(name, String.valueOf(e.getMessage()));
      trace(e);
      return ExitCode.FAILED;
    }
    return internalError(name, e);
  }

  int internalError(String command, Throwable e) {
    String hint = debug ? "" : "; run it again with " + CommonOptions.DEBUG + " to see where";
    say(command, "an error in Testudo itself, " + e + hint);
    trace(e);
    return ExitCode.INTERNAL;
  }

  int outputLost() {
    say("testudo", "the output could not be written in full; free space or keep the reader open");
    return ExitCode.FAILED;
  }

  private void say(String command, String sentence) {
    // Messages of libraries may have several lines; people grep for one.
    err.println(command + ": " + Printable.of(sentence.replaceAll("\\s*\\R\\s*", " ")));
  }

  private void trace(Throwable e) {
    if (debug) {
      e.printStackTrace(err);
    }
  }
}
