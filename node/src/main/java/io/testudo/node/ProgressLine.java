package io.testudo.node;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Tells a person at a terminal how far long work has come; silent everywhere else. */
public final class ProgressLine implements LongConsumer, AutoCloseable {
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final @Nullable PrintStream terminal;
  private final long total;
  private final String what;
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());

  ProgressLine(@Nullable PrintStream terminal, long total, String what) {
    this.terminal = terminal;
    this.total = total;
    this.what = what;
  }

  /**
   * On standard error, if the launcher found that a person sees it (Java itself cannot tell alike
   * in all versions); {@code Long.MAX_VALUE} is no total.
   */
  public static ProgressLine onTerminal(long total, String what) {
    return new ProgressLine(
        Boolean.getBoolean("testudo.terminal") ? System.err : null, total, what);
  }

  @Override
  public void accept(long done) {
    if (terminal == null) {
      return;
    }
    long last = lastNanos.get();
    long now = System.nanoTime();
    if (now - last > EVERY_NANOS && lastNanos.compareAndSet(last, now)) {
      String of = total == Long.MAX_VALUE ? "" : String.format(Locale.ROOT, " of %,d", total);
      terminal.printf(Locale.ROOT, "\r%,d%s %s", done, of, what);
      terminal.flush();
    }
  }

  @Override
  public void close() {
    if (terminal != null) {
      terminal.print("\r\033[K");
      terminal.flush();
    }
  }
}
