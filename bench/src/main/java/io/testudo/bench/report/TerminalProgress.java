package io.testudo.bench.report;

import java.io.PrintStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One line at a terminal that says what is measured now; silent everywhere else. */
public final class TerminalProgress implements Consumer<String>, AutoCloseable {
  private static final String CLEAR_LINE = "\r\033[K";

  private final @Nullable PrintStream terminal;
  private final String prefix;

  TerminalProgress(@Nullable PrintStream terminal, String prefix) {
    this.terminal = terminal;
    this.prefix = prefix;
  }

  /** On standard error, if the launcher found that a person sees it. */
  public static TerminalProgress onTerminal(String prefix) {
    return new TerminalProgress(Boolean.getBoolean("testudo.terminal") ? System.err : null, prefix);
  }

  @Override
  public void accept(String what) {
    show(CLEAR_LINE + prefix + what);
  }

  @Override
  public void close() {
    show(CLEAR_LINE);
  }

  private void show(String text) {
    if (terminal != null) {
      terminal.print(text);
      terminal.flush();
    }
  }
}
