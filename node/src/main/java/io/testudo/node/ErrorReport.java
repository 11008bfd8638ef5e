package io.testudo.node;

import io.testudo.node.log.Printable;
import io.testudo.quorum.ConfigurationException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells errors in one sentence on the error stream, and the exit code that goes with them. */
final class ErrorReport {
  /** What picocli says of the value of an option whose type is an enum. */
  private static final Pattern ENUM_VALUE =
      Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\) but was '(.*)'");

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
    say(command, inWordsOfPeople(String.valueOf(e.getMessage())) + hint);
    err.println("Run '" + command + " --help' for its options.");
    return ExitCode.USAGE;
  }

  /** Values of enums as they are typed, and not as constants of a program. */
  private static String inWordsOfPeople(String message) {
    return ENUM_VALUE
        .matcher(message)
        .replaceFirst(
            found ->
                Matcher.quoteReplacement(
                    "'%s' is none of %s"
                        .formatted(found.group(2), found.group(1).toLowerCase(Locale.ROOT))));
  }

  int unknownCommand(UnknownCommand unknown) {
    String group = unknown.group().getCommandSpec().qualifiedName();
    say(group, unknown.sentence());
    err.println("Run '" + group + " --help' for its commands.");
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
