package io.testudo.bench.objects;

import io.testudo.bench.cluster.DeployedCluster;
import io.testudo.bench.cluster.JournalKind;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.measure.CountedLoad;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Session;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.Columns;
import io.testudo.bench.report.RowFields;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Many operations, and now and then a look at what they leave behind. */
final class SoakRun {
  /** How often to look; the first look is before the first operation. */
  private static final int LOOKS = 20;

  private static final String COLUMNS = "%-17s %-7s %-8s %7s %12s %9s %13s %13s %13s";
  private static final double NANOS_PER_SECOND = 1e9;

  private final long operations;
  private final @Nullable Path directory;
  private final BenchOutput output;
  private final MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());

  SoakRun(long operations, @Nullable Path directory, BenchOutput output) {
    this.operations = operations;
    this.directory = directory;
    this.output = output;
  }

  void heading() {
    output.text(machine.text());
    output.text(
        String.format(
            Locale.ROOT,
            COLUMNS,
            "mode",
            "journal",
            "sharing",
            "clients",
            "operations",
            "ops/s",
            "servers' KiB",
            "clients' KiB",
            "on disk KiB"));
  }

  void soak(ObjectSetup setup, int clients) throws IOException, InterruptedException {
    CountedLoad load = new CountedLoad(clients);
    output.progress().begin("%s, %s: ".formatted(setup.modeName(), setup.journal().word()), 1);
    try (ObjectContestant contestant = ObjectContestant.start(setup, clients, directory);
        Session session = contestant.open(clients)) {
      look(contestant, clients, 0, null);
      for (int i = 1; i <= LOOKS; i++) {
        output.progress().within((i - 1.0) / LOOKS);
        output.progress().accept("part %d of %d".formatted(i, LOOKS));
        long before = operations * (i - 1) / LOOKS;
        long after = operations * i / LOOKS;
        long nanos = load.run(session, after - before);
        look(contestant, clients, after, (after - before) * NANOS_PER_SECOND / nanos);
      }
    }
  }

  private void look(
      ObjectContestant contestant, int clients, long done, @Nullable Double opsPerSecond)
      throws IOException {
    ObjectSetup setup = contestant.setup();
    long serverHeap = contestant.heapUsedBytes();
    long clientHeap = DeployedCluster.heapUsedBytesHere();
    long journal = contestant.journalBytes();
    RowFields row =
        setup
            .fields("soak")
            .with("clients", clients)
            .with("operations", done)
            .with("opsPerSecond", opsPerSecond == null ? null : RowFields.tenths(opsPerSecond))
            .with("serverHeapBytes", serverHeap)
            .with("clientHeapBytes", clientHeap)
            .with("journalBytes", setup.journal() == JournalKind.OFF ? null : journal)
            .withMachine(machine);
    output.row(
        row.toMap(),
        String.format(
            Locale.ROOT,
            COLUMNS,
            setup.modeName(),
            setup.journal().word(),
            setup.sharing().word(),
            clients,
            Columns.rate((double) done),
            opsPerSecond == null ? "" : Columns.rate(opsPerSecond),
            kibibytes(serverHeap),
            kibibytes(clientHeap),
            setup.journal() == JournalKind.OFF ? "" : kibibytes(journal)));
  }

  private static String kibibytes(long bytes) {
    return String.format(Locale.ROOT, "%,d", bytes >> 10);
  }
}
