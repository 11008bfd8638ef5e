package io.testudo.bench.scale;

import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Spread;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.RowFields;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How long servers take to start with large journals, beside a start with empty ones and a plain
 * read of the same files in the same run. All servers of the cluster start in one process.
 */
final class RecoveryScale {
  private static final double NANOS_PER_MILLI = 1e6;

  private final BenchOutput output;
  private final @Nullable Path directory;
  private final MachineFacts machine;
  private final int rounds;

  RecoveryScale(BenchOutput output, @Nullable Path directory, MachineFacts machine, int rounds) {
    this.output = output;
    this.directory = directory;
    this.machine = machine;
    this.rounds = rounds;
  }

  static String heading() {
    return line(
        "recovery",
        "servers",
        "objects",
        "bytes each",
        "journal KiB",
        "start ms",
        ":empty",
        "read ms",
        ":read");
  }

  /** Makes so many objects of so many bytes, and starts the servers again and again. */
  void measure(int servers, int objects, int bytes) throws IOException, InterruptedException {
    output
        .progress()
        .begin("recovery, %,d objects of %,d bytes".formatted(objects, bytes), servers);
    try (FilledCluster cluster = FilledCluster.start(servers, 0, directory)) {
      Spread empty = restarts(cluster);
      cluster.makeRegisters(objects, bytes);
      double journal = cluster.journalBytes();
      Spread start = restarts(cluster);
      List<Double> reads = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        reads.add(millis(cluster.readAll()));
      }
      Spread read = spread(reads);
      row(cluster, objects, bytes, journal, empty, start, read);
    }
  }

  private Spread restarts(FilledCluster cluster) throws IOException, InterruptedException {
    List<Double> starts = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      starts.add(millis(cluster.restart()));
    }
    return spread(starts);
  }

  private static Spread spread(List<Double> values) {
    return Spread.of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / NANOS_PER_MILLI;
  }

  private void row(
      FilledCluster cluster,
      int objects,
      int bytes,
      double journal,
      Spread empty,
      Spread start,
      Spread read) {
    double more = Math.max(0, start.median() - empty.median());
    double ratioToRead = more / Math.max(read.median(), 1e-3);
    double ratioToEmpty = start.median() / empty.median();
    output.row(
        new RowFields()
            .with("bench", "scale")
            .with("case", "recovery")
            .with("servers", cluster.servers())
            .with("byzantine", FilledCluster.liars(cluster.servers()))
            .with("objects", objects)
            .with("stateBytes", bytes)
            .with("journalBytesPerServer", Math.rint(journal))
            .with("startMillis", RowFields.tenths(start.median()))
            .with("startMillisLow", RowFields.tenths(start.low()))
            .with("startMillisHigh", RowFields.tenths(start.high()))
            .with("startRatioToEmpty", RowFields.thousandths(ratioToEmpty))
            .with("readMillis", RowFields.tenths(read.median()))
            .with("startRatioToRead", RowFields.thousandths(ratioToRead))
            .with("rounds", rounds)
            .withMachine(machine)
            .toMap(),
        line(
            "",
            cluster.servers(),
            whole(objects),
            whole(bytes),
            whole(journal / 1024),
            whole(start.median()),
            String.format(Locale.ROOT, "%.2f", ratioToEmpty),
            whole(read.median()),
            String.format(Locale.ROOT, "%.1f", ratioToRead)),
        false);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, "%-12s%8s%9s%12s%13s%10s%8s%9s%8s", cells);
  }
}
