package io.testudo.bench.contention.counter;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures for people: a line for each case. */
final class CounterTable {
  private static final String LINE = "%-18s%-6s%8s%8s%8s%9s%9s  %-15s%9s%9s%9s%9s%9s%10s%10s";

  private CounterTable() {}

  static String heading() {
    return LINE.formatted(
        "mode",
        "turns",
        "servers",
        "clients",
        "readers",
        "rtt ms",
        "idle ms",
        "fault",
        "ops/rtt",
        "p50 rtt",
        "p99 rtt",
        "max rtt",
        "msgs/op",
        "read p50",
        "read p99");
  }

  static String line(CounterFigures figures) {
    CounterCase setup = figures.setup();
    return LINE.formatted(
        setup.modeName(),
        setup.turnsName(),
        setup.thresholds().servers(),
        setup.clients(),
        setup.readers(),
        plain(setup.roundTripMillis()),
        plain(setup.thinkMillis()),
        setup.fault() == null ? "" : setup.fault().name(),
        number(figures.perRoundTrip()),
        number(figures.p50()),
        number(figures.p99()),
        number(figures.max()),
        number(figures.messagesPerOperation()),
        number(figures.readP50()),
        number(figures.readP99()));
  }

  private static String plain(double millis) {
    return String.format(Locale.ROOT, "%s", millis).replaceAll("\\.0$", "");
  }

  private static String number(@Nullable Double value) {
    if (value == null) {
      return "";
    }
    String form = value < 0.1 ? "%.3f" : value < 100 ? "%.2f" : "%,.0f";
    return String.format(Locale.ROOT, form, value);
  }
}
