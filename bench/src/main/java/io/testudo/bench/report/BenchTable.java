package io.testudo.bench.report;

import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Spread;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rows for people, in aligned columns. */
public final class BenchTable {
  private static final String COLUMNS = "%7s %7s  %-12s %10s %21s %9s %9s %9s %9s";

  private BenchTable() {}

  public static String heading() {
    return String.format(
        Locale.ROOT,
        COLUMNS,
        "servers",
        "clients",
        "system",
        "ops/s",
        "(low .. high)",
        "p50 us",
        "p99 us",
        "ops:floor",
        "p50:floor");
  }

  public static String line(BenchRow row) {
    String line =
        String.format(
            Locale.ROOT,
            COLUMNS,
            row.servers(),
            row.clients(),
            name(row),
            Columns.rate(row.opsPerSecond()),
            Columns.range(
                new Spread(row.opsPerSecond(), row.opsPerSecondLow(), row.opsPerSecondHigh())),
            Columns.micros(row.p50Micros()),
            Columns.micros(row.p99Micros()),
            Columns.ratio(row.opsRatioToFloor()),
            Columns.ratio(row.p50RatioToFloor()));
    return line.stripTrailing();
  }

  /** What to tell a person who reads a figure that others disturbed; null if there is nothing. */
  public static @Nullable String warning(BenchRow row) {
    Double share = row.otherCpuShare();
    if (share == null || share <= OtherLoad.WARNING_SHARE) {
      return null;
    }
    return String.format(
        Locale.ROOT,
        "warning: other processes took %.0f %% of the machine during %s (%d servers, %d"
            + " clients): measure again when it is quiet",
        share * 100,
        name(row),
        row.servers(),
        row.clients());
  }

  private static String name(BenchRow row) {
    return row.mode() == null || row.mode().equals(row.system())
        ? row.system()
        : row.system() + " " + row.mode();
  }
}
