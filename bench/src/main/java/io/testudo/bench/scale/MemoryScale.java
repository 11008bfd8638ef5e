package io.testudo.bench.scale;

import io.testudo.bench.cluster.DeployedClients;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.RowFields;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How much heap a server takes for each lock that it remembers, each object, and each connection
 * that is idle: after a full collection, less what it took before.
 */
final class MemoryScale {
  /** Of what a server has many. */
  enum Of {
    LOCK("locks", "heapBytesPerLock"),
    OBJECT("objects", "heapBytesPerObject"),
    CONNECTION("connections", "heapBytesPerConnection");

    private final String many;
    private final String metric;

    Of(String many, String metric) {
      this.many = many;
      this.metric = metric;
    }
  }

  private final BenchOutput output;
  private final @Nullable Path directory;
  private final MachineFacts machine;

  MemoryScale(BenchOutput output, @Nullable Path directory, MachineFacts machine) {
    this.output = output;
    this.directory = directory;
    this.machine = machine;
  }

  static String heading() {
    return line("memory of", "servers", "count", "KiB/server", "bytes each", "journal KiB");
  }

  /**
   * Fills one cluster more and more.
   *
   * @param counts of which each is larger than the one before
   */
  void measure(Of of, int servers, List<Integer> counts) throws IOException, InterruptedException {
    int most = counts.get(counts.size() - 1);
    output.progress().begin("memory of %s, %d servers".formatted(of.many, servers), servers);
    try (FilledCluster cluster =
        FilledCluster.start(servers, of == Of.CONNECTION ? most : 0, directory)) {
      fill(of, cluster, 1); // Classes, and connections of those who fill it, are there from now on.
      double before = cluster.heapBytes();
      for (int count : counts) {
        output.progress().accept(String.format(Locale.ROOT, ", %,d of them", count));
        if (of == Of.CONNECTION) {
          DeployedClients idle = cluster.connect(count);
          look(of, cluster, count, before);
          idle.close();
        } else {
          fill(of, cluster, count);
          look(of, cluster, count, before);
        }
      }
    }
  }

  private static void fill(Of of, FilledCluster cluster, int count)
      throws IOException, InterruptedException {
    if (of == Of.OBJECT) {
      cluster.makeCounters(count);
    } else {
      cluster.useLocks(count);
    }
  }

  private void look(Of of, FilledCluster cluster, int count, double before) throws IOException {
    double heap = cluster.heapBytes();
    double each = Math.max(0, heap - before) / count;
    double journal = cluster.journalBytes();
    output.row(
        new RowFields()
            .with("bench", "scale")
            .with("case", "memory")
            .with("of", of.many)
            .with("servers", cluster.servers())
            .with("byzantine", FilledCluster.liars(cluster.servers()))
            .with(of.many, count)
            .with("heapBytesPerServer", Math.rint(heap))
            .with(of.metric, RowFields.tenths(each))
            .with("journalBytesPerServer", Math.rint(journal))
            .withMachine(machine)
            .toMap(),
        line(
            of.many,
            cluster.servers(),
            String.format(Locale.ROOT, "%,d", count),
            kibibytes(heap),
            String.format(Locale.ROOT, "%,.0f", each),
            kibibytes(journal)),
        false);
  }

  private static String kibibytes(double bytes) {
    return String.format(Locale.ROOT, "%,.0f", bytes / 1024);
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, "%-12s%8s%9s%12s%12s%13s", cells);
  }
}
