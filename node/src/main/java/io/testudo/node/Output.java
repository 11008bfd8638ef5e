package io.testudo.node;

import io.testudo.node.log.Printable;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How a command gives its results: one JSON object per line for programs, text for people. A
 * command takes it as a picocli {@code @Mixin} and has the option {@code --json} thereby.
 */
public final class Output {
  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** For picocli, which makes the mixins of a command. */
  public Output() {}

  public boolean isJson() {
    return json;
  }

  /**
   * Gives one result.
   *
   * @param row a record or a map, see {@link JsonLines}
   * @param text the same for people
   */
  public void row(Object row, String text) {
    out().println(json ? JsonLines.line(row) : Printable.lines(text));
  }

  /** Gives people a line, such as a heading, that programs do not need. */
  public void text(String line) {
    if (!json) {
      out().println(Printable.lines(line));
    }
  }

  /** As {@link #row(Object, String)}, with colours where people see them. */
  public void row(Object row, ColourText text) {
    out().println(json ? JsonLines.line(row) : text.shown(Screen.ofProcess().coloursOut()));
  }

  /** As {@link #text(String)}, with colours where people see them. */
  public void text(ColourText line) {
    if (!json) {
      out().println(line.shown(Screen.ofProcess().coloursOut()));
    }
  }

  /** Whether the command has an option of this name. */
  public boolean offers(String option) {
    return command.findOption(option) != null;
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }
}
