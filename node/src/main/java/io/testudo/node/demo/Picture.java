package io.testudo.node.demo;

import com.google.common.collect.ImmutableList;
import io.testudo.node.ColourText;
import io.testudo.node.ColourText.Colour;
import io.testudo.node.Screen;
import java.io.PrintStream;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table at the bottom of a terminal that shows how it stands, drawn over and over. */
public final class Picture implements AutoCloseable {
  private static final String ERASE_LINE = "\033[2K";
  private static final String LINE_UP = "\033[1A";

  private final @Nullable PrintStream terminal;
  private final Screen screen;
  private int drawn;

  Picture(@Nullable PrintStream terminal, Screen screen) {
    this.terminal = terminal;
    this.screen = screen;
  }

  /** On standard error, if a person sees it; else nothing is drawn. */
  public static Picture onTerminal() {
    Screen screen = Screen.ofProcess();
    return new Picture(screen.canDraw() ? System.err : null, screen);
  }

  /** One that is never drawn. */
  public static Picture none() {
    return new Picture(null, Screen.ofProcess());
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
    ImmutableList<ColourText> lines = lines(view);
    // A line that the terminal breaks would be two to go up. The last column may break it, too.
    lines.forEach(
        line ->
            text.append(line.cutTo(screen.columns() - 1).shown(screen.coloursErr())).append('\n'));
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

  /** The table, line by line. */
  public static ImmutableList<ColourText> lines(DemoRun.View view) {
    ImmutableList.Builder<ColourText> lines = ImmutableList.builder();
    lines.add(ColourText.of(""));
    lines.add(
        line("lock")
            .and(value(view.holder() == null ? "changes hands" : "held by " + view.holder()))
            .and("%d entries".formatted(view.entries()))
            .and(
                view.waiting().isEmpty() ? "" : "; waiting: " + String.join(", ", view.waiting())));
    lines.add(
        line("fence")
            .and("%-21d".formatted(view.fence()))
            .and(Colour.FAINT, "grows with each entry: late writers are refused"));
    lines.add(
        line("counter")
            .and(value(Long.toString(view.counter())))
            .and("%d increments acknowledged".formatted(view.increments())));
    view.servers().forEach(server -> lines.add(line(server)));
    return lines.build();
  }

  private static ColourText line(DemoRun.ServerView server) {
    String more = server.liesTold() == 0 ? "" : lies(server);
    Colour colour = !server.isUp() ? Colour.WARNING : server.lies() ? Colour.BAD : Colour.GOOD;
    String stands = !server.isUp() ? "down" : server.lies() ? "LIES" : "honest";
    return line(server.name()).and(colour, more.isEmpty() ? stands : value(stands)).and(more);
  }

  private static ColourText line(String name) {
    return ColourText.of("  ").and(Colour.STRONG, "%-9s".formatted(name));
  }

  private static String value(String text) {
    return "%-16s".formatted(text);
  }

  private static String lies(DemoRun.ServerView server) {
    String proof = server.caught() == 0 ? "" : "; clients proved " + server.caught();
    return "%d lies told%s".formatted(server.liesTold(), proof);
  }

  /** The same on one line, where nothing can be drawn. */
  public static String line(DemoRun.View view) {
    String liars =
        view.servers().stream()
            .filter(server -> server.liesTold() > 0)
            .map(server -> "; %s: %d lies".formatted(server.name(), server.liesTold()))
            .collect(Collectors.joining());
    return String.format(
        Locale.ROOT,
        "%6.1f s    lock: %s; counter: %d%s",
        view.at().toMillis() / 1e3,
        view.holder() == null ? "changes hands" : view.holder(),
        view.counter(),
        liars);
  }

  @Override
  public void close() {
    erase();
  }
}
