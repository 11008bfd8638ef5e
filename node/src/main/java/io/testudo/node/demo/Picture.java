package io.testudo.node.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A few lines at the bottom of a terminal that show how it stands, drawn over and over. */
public final class Picture implements AutoCloseable {
  private static final String ERASE_LINE = "\033[2K";
  private static final String LINE_UP = "\033[1A";

  private final @Nullable PrintStream terminal;
  private int drawn;

  Picture(@Nullable PrintStream terminal) {
    this.terminal = terminal;
  }

  /** On standard error, if the launcher found that a person sees it; else nothing is drawn. */
  public static Picture onTerminal() {
    return new Picture(Boolean.getBoolean("testudo.terminal") ? System.err : null);
  }

  public boolean isSeen() {
    return terminal != null;
  }

  /** Draws it in the place of the last one. */
  public void draw(DemoRun.View view) {
    if (terminal == null) {
      return;
    }
    StringBuilder text = new StringBuilder(erasing());
    List<String> lines = lines(view);
    lines.forEach(line -> text.append(line).append('\n'));
    drawn = lines.size();
    terminal.print(text);
    terminal.flush();
  }

  /** Makes room for lines that stay. */
  public void erase() {
    if (terminal != null) {
      terminal.print(erasing());
      terminal.flush();
      drawn = 0;
    }
  }

  private String erasing() {
    return (LINE_UP + ERASE_LINE).repeat(drawn) + "\r";
  }

  /** The picture, line by line. */
  static List<String> lines(DemoRun.View view) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "  lock     %-16s fence %-20d %d entries   waiting: %s",
            view.holder() == null ? "changes hands" : "held by " + view.holder(),
            view.fence(),
            view.entries(),
            view.waiting().isEmpty() ? "nobody" : String.join(", ", view.waiting())));
    lines.add(
        String.format(
            Locale.ROOT,
            "  counter  %-16d version %-18d %d increments acknowledged",
            view.counter(),
            view.version(),
            view.increments()));
    for (DemoRun.ServerView server : view.servers()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s       %-16s caught %-19d %s",
              server.name(),
              !server.isUp() ? "down" : server.lies() ? "LIES" : "honest",
              server.caught(),
              server.liesTold() == 0 ? "" : server.liesTold() + " lies told"));
    }
    return lines;
  }

  /** The same on one line, where nothing can be drawn. */
  public static String line(DemoRun.View view) {
    return String.format(
        Locale.ROOT,
        "%6.1f s   lock: %s, fence %d; counter: %d at version %d%s%s",
        view.at().toMillis() / 1e3,
        view.holder() == null ? "changes hands" : view.holder(),
        view.fence(),
        view.counter(),
        view.version(),
        counts(view, "caught", DemoRun.ServerView::caught),
        counts(view, "lies told", DemoRun.ServerView::liesTold));
  }

  private static String counts(
      DemoRun.View view, String what, ToLongFunction<DemoRun.ServerView> countOf) {
    String counts =
        view.servers().stream()
            .filter(server -> countOf.applyAsLong(server) > 0)
            .map(server -> server.name() + " " + countOf.applyAsLong(server))
            .collect(Collectors.joining(", "));
    return counts.isEmpty() ? "" : "; " + what + ": " + counts;
  }

  @Override
  public void close() {
    erase();
  }
}
