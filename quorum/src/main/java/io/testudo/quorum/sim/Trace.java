package io.testudo.quorum.sim;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A readable account of a run, a line per thing that happened; costs nothing when nobody reads. */
public final class Trace {
  private static final double NANOS_PER_MILLI = 1e6;

  private static final String INDENT = " ".repeat(25);

  private final @Nullable Consumer<String> sink;

  private Trace(@Nullable Consumer<String> sink) {
    this.sink = sink;
  }

  public static Trace to(Consumer<String> sink) {
    return new Trace(sink);
  }

  public static Trace off() {
    return new Trace(null);
  }

  /** Notes a step: what came in, and below it what it brought about. */
  public void step(long atNanos, Object node, Object input, List<?> effects) {
    if (sink != null) {
      note(atNanos, node, input::toString);
      for (Object effect : effects) {
        sink.accept(INDENT + effect);
      }
    }
  }

  /** Notes what a node did or what befell it. */
  public void note(long atNanos, Object node, Supplier<String> what) {
    if (sink != null) {
      sink.accept(
          String.format(
              Locale.ROOT, "%12.6f  %-6s %s", atNanos / NANOS_PER_MILLI, node, what.get()));
    }
  }
}
