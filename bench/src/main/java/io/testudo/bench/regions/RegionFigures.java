package io.testudo.bench.regions;

import io.testudo.bench.report.RowFields;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a case gave, in virtual milliseconds.
 *
 * @param p50RatioToQuorum the median of waits, each to one round trip to the nearest quorum from
 *     where the client is
 * @param messages for a turn, of all
 * @param bytes of these messages, without what frames add
 */
record RegionFigures(
    RegionCase setup,
    double p50Millis,
    double p99Millis,
    double maxMillis,
    double p50RatioToQuorum,
    double messages,
    double bytes) {
  private static final double TAIL = 0.99;

  static RegionFigures of(
      RegionCase setup,
      List<Double> waitsMillis,
      List<Double> ratios,
      double messages,
      double bytes) {
    double[] waits = sorted(waitsMillis);
    return new RegionFigures(
        setup,
        share(waits, 0.5),
        share(waits, TAIL),
        waits[waits.length - 1],
        share(sorted(ratios), 0.5),
        messages,
        bytes);
  }

  private static double[] sorted(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static double share(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, (long) (share * sorted.length))];
  }

  /** A row of the output contract. */
  Map<String, Object> fields() {
    return new RowFields()
        .with("bench", "wide-area")
        .with("case", setup.subject())
        .with("placement", setup.placement().name())
        .with(setup.isLock() ? "backend" : "mode", setup.way())
        .with("servers", setup.thresholds().servers())
        .with(
            "byzantine",
            setup.thresholds().need().toleratesLiars()
                ? (Integer) setup.thresholds().faults()
                : null)
        .with(
            "crashes",
            setup.thresholds().need().toleratesLiars()
                ? null
                : (Integer) setup.thresholds().faults())
        .with("clients", setup.clients())
        .with("sharers", setup.sharers())
        .with("p50Millis", RowFields.tenths(p50Millis))
        .with("p99Millis", RowFields.tenths(p99Millis))
        .with("maxMillis", RowFields.tenths(maxMillis))
        .with("p50RatioToQuorum", RowFields.thousandths(p50RatioToQuorum))
        .with("messagesPerEntry", RowFields.thousandths(messages))
        .with("bytesPerEntry", RowFields.tenths(bytes))
        .toMap();
  }

  static String heading() {
    return line(
        "case", "placed", "way", "servers", "clients", "sharers", "p50 ms", "p99 ms", ":quorum",
        "msgs", "bytes");
  }

  String line() {
    return line(
        setup.subject(),
        setup.placement().name(),
        setup.way(),
        setup.thresholds().servers(),
        setup.clients(),
        setup.sharers(),
        number(p50Millis),
        number(p99Millis),
        String.format(Locale.ROOT, "%.2f", p50RatioToQuorum),
        String.format(Locale.ROOT, "%.1f", messages),
        number(bytes));
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, "%-10s%-10s%-18s%8s%8s%8s%9s%9s%9s%7s%8s", cells)
        .stripTrailing();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
