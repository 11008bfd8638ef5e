package io.testudo.bench.report;

import io.testudo.bench.measure.MeasuringProgress;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One line at a terminal that says what is measured now and about how long the rest takes; silent
 * everywhere else. Work is in parts, of which the command says how heavy they are; the rest is
 * estimated by what the parts took that are done.
 */
public final class TerminalProgress implements MeasuringProgress, AutoCloseable {
  private static final String CLEAR_LINE = "\r\033[K";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long SECONDS_OF_A_MINUTE = 60;

  /** A guess from less is worth nothing. */
  private static final double LEAST_SECONDS = 2;

  private final @Nullable PrintStream terminal;
  private final LongSupplier nanoClock;
  private final int columns;
  private long beginNanos;
  private double planned;
  private double done;
  private double present;
  private double shareOfPresent;
  private String title = "";

  /**
   * Progress of one run.
   *
   * @param columns that the terminal has; 0 if nobody knows
   */
  TerminalProgress(@Nullable PrintStream terminal, LongSupplier nanoClock, int columns) {
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    this.columns = columns;
    this.beginNanos = nanoClock.getAsLong();
  }

  /** On standard error, if the launcher found that a person sees it. */
  public static TerminalProgress onTerminal() {
    return new TerminalProgress(
        Boolean.getBoolean("testudo.terminal") ? System.err : null,
        System::nanoTime,
        Integer.getInteger("testudo.columns", 0));
  }

  /**
   * The same for work of which nobody knows how much there is.
   *
   * @param prefix of each line
   */
  public static TerminalProgress onTerminal(String prefix) {
    TerminalProgress progress = onTerminal();
    progress.title = prefix;
    return progress;
  }

  /** There will be a part as heavy as this, in any unit. */
  public synchronized void expect(double weight) {
    if (planned == 0) {
      beginNanos = nanoClock.getAsLong();
    }
    planned += weight;
  }

  /**
   * A part begins; the one before it is done.
   *
   * @param name is shown before what is told of it
   */
  public synchronized void begin(String name, double weight) {
    done += present;
    present = weight;
    shareOfPresent = 0;
    title = name;
    show(name);
  }

  @Override
  public synchronized void within(double share) {
    shareOfPresent = share;
  }

  /** One part of several that are done side by side has ended. */
  public synchronized void ended(String name, double weight) {
    done += weight;
    show(name);
  }

  @Override
  public synchronized void accept(String what) {
    show(title + what);
  }

  /** Clears the line, so that something else can be printed. */
  @Override
  public synchronized void close() {
    print(CLEAR_LINE);
  }

  private void show(String what) {
    if (terminal != null) {
      String remaining = remaining();
      print(CLEAR_LINE + fitting(what, remaining.length()) + remaining);
    }
  }

  /** A line that is longer than the terminal is wide could not be cleared. */
  private String fitting(String what, int besideIt) {
    int room = columns - 1 - besideIt;
    return columns == 0 || what.length() <= room ? what : what.substring(0, Math.max(0, room));
  }

  /** Empty as long as nobody knows. */
  String remaining() {
    double finished = done + shareOfPresent * present;
    double seconds = (nanoClock.getAsLong() - beginNanos) / NANOS_PER_SECOND;
    if (finished <= 0 || planned <= finished || seconds < LEAST_SECONDS) {
      return "";
    }
    long rest = (long) Math.ceil(seconds * (planned - finished) / finished);
    return rest < SECONDS_OF_A_MINUTE
        ? " (about %d s left)".formatted(rest)
        : String.format(
            Locale.ROOT,
            " (about %d min %02d s left)",
            rest / SECONDS_OF_A_MINUTE,
            rest % SECONDS_OF_A_MINUTE);
  }

  private void print(String text) {
    if (terminal != null) {
      terminal.print(text);
      terminal.flush();
    }
  }
}
