package io.testudo.bench.scale;

import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.mutex.lease.LockTable;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo bench scale}: load and response against the number of servers. */
@Command(
    name = "scale",
    description = {
      "How Testudo grows.",
      "load: the load of the busiest server and the response, in virtual time, for more and more"
          + " servers, when clients ask all of them, and when they ask one quorum first"
          + " (docs/quorums.md). The figures are the same on every machine.",
      "memory: heap of a server for each lock, object and idle connection, by their number and that"
          + " of servers, which are real ones.",
      "recovery: the time to start with large journals, beside a plain read of the same files.",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench scale --quick",
      "  testudo bench scale --part load --servers 16,64 --json",
      "  testudo bench scale --part memory --locks 10,100000 --objects 10,9000",
      "  testudo bench scale --part recovery --state 65536",
      "  testudo bench scale --out scale",
    })
public final class ScaleCommand implements Subcommand {
  private static final int OPERATIONS = 4_000;
  private static final int QUICK_OPERATIONS = 800;
  private static final List<Integer> QUICK_SERVERS = List.of(4, 16, 64);

  /** Real servers, all in one process. */
  private static final int MOST_REAL_SERVERS = 31;

  /** What a server remembers and takes at most, a little less for its other names. */
  private static final int MOST_LOCKS = LockTable.MAX_LOCKS;

  private static final int MOST_OBJECTS = 9_000;
  private static final int MOST_CONNECTIONS = 1_000;
  private static final int MOST_STATE_BYTES = 1 << 20;
  private static final int RECOVERIES = 5;
  private static final int QUICK_RECOVERIES = 3;

  /** What is measured. */
  enum Part {
    LOAD,
    MEMORY,
    RECOVERY
  }

  @Option(
      names = "--part",
      split = ",",
      paramLabel = "PART",
      defaultValue = "load,memory,recovery",
      description = "What to measure (${DEFAULT-VALUE}).")
  private List<Part> parts = new ArrayList<>();

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "N",
      description =
          "How many servers (load: 4,7,10,16,25,36,49,64, with --quick 4,16,64; memory:"
              + " 4,7,10,16,31, with --quick 4,13).")
  private List<Integer> servers = new ArrayList<>();

  @Option(
      names = "--locks",
      split = ",",
      paramLabel = "N",
      description = "How many locks (10,100,1000,10000,100000; with --quick 10,1000,5000).")
  private List<Integer> locks = new ArrayList<>();

  @Option(
      names = "--objects",
      split = ",",
      paramLabel = "N",
      description =
          "How many objects (10,100,1000,9000; with --quick 10,500). A server takes 10,000 at most.")
  private List<Integer> objects = new ArrayList<>();

  @Option(
      names = "--connections",
      split = ",",
      paramLabel = "N",
      description = "How many idle clients (10,100,1000; with --quick 10,100).")
  private List<Integer> connections = new ArrayList<>();

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "BYTES",
      description = "Bytes of each object that is recovered (100,10000; with --quick 10000).")
  private List<Integer> states = new ArrayList<>();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where real servers keep their files meanwhile; else with temporary files.")
  private @Nullable Path directory;

  @Option(
      names = "--byzantine",
      paramLabel = "B",
      defaultValue = "1",
      description = "Liars that the cluster is made for (${DEFAULT-VALUE}).")
  private int byzantine;

  @Option(names = "--quick", description = "Fewer servers and operations: a look.")
  private boolean quick;

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  /** For picocli. */
  public ScaleCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    checkRanges();
    BenchOutput results = out.open(output, true);
    expect(results.progress());
    if (parts.contains(Part.LOAD)) {
      measureLoad(results);
    }
    try {
      MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());
      if (parts.contains(Part.MEMORY)) {
        measureMemory(new MemoryScale(results, directory, machine), results);
      }
      if (parts.contains(Part.RECOVERY)) {
        measureRecovery(
            new RecoveryScale(results, directory, machine, quick ? QUICK_RECOVERIES : RECOVERIES),
            results);
      }
    } catch (IOException e) {
      throw new CommandException(
          "The measurement broke off, run it again: %s.".formatted(e.getMessage()), e);
    }
    results.finish();
    return ExitCode.OK;
  }

  private List<Integer> counts() {
    return or(servers, QUICK_SERVERS, List.of(4, 7, 10, 16, 25, 36, 49, 64));
  }

  /** Numbers of real servers, few first. */
  private List<Integer> realCounts() {
    return or(servers, List.of(4, 13), List.of(4, 7, 10, 16, 31));
  }

  private List<Integer> lockCounts() {
    return or(locks, List.of(10, 1_000, 5_000), List.of(10, 100, 1_000, 10_000, 100_000));
  }

  private List<Integer> objectCounts() {
    return or(objects, List.of(10, 500), List.of(10, 100, 1_000, 9_000));
  }

  private List<Integer> connectionCounts() {
    return or(connections, List.of(10, 100), List.of(10, 100, 1_000));
  }

  private List<Integer> stateSizes() {
    return or(states, List.of(10_000), List.of(100, 10_000));
  }

  private List<Integer> or(List<Integer> chosen, List<Integer> usualQuick, List<Integer> usual) {
    return (!chosen.isEmpty() ? chosen : quick ? usualQuick : usual).stream().sorted().toList();
  }

  private void checkRanges() {
    check("--locks", lockCounts(), 1, MOST_LOCKS);
    check("--objects", objectCounts(), 1, MOST_OBJECTS);
    check("--connections", connectionCounts(), 1, MOST_CONNECTIONS);
    check("--state", stateSizes(), 0, MOST_STATE_BYTES);
    if (parts.contains(Part.MEMORY) || parts.contains(Part.RECOVERY)) {
      check(
          "--servers",
          realCounts(),
          Mode.SEALED_STATEMENTS.need().leastServers(1),
          MOST_REAL_SERVERS);
    }
  }

  private static void check(String option, List<Integer> numbers, int least, int most) {
    for (int number : numbers) {
      if (number < least || number > most) {
        throw new CommandException(
            String.format(Locale.ROOT, "%s must be from %d to %,d here.", option, least, most));
      }
    }
  }

  /** Weights are about a twentieth of a second. */
  private void expect(TerminalProgress progress) {
    if (parts.contains(Part.LOAD)) {
      counts().forEach(count -> progress.expect(2.0 * ScaleCase.Subject.values().length * count));
    }
    if (parts.contains(Part.MEMORY)) {
      realCounts().forEach(count -> progress.expect(2.0 * count));
      progress.expect(realCounts().get(0));
    }
    if (parts.contains(Part.RECOVERY)) {
      stateSizes().forEach(size -> progress.expect(realCounts().get(0)));
    }
  }

  private void measureLoad(BenchOutput results) {
    results.text(ScaleFigures.heading());
    for (ScaleCase.Subject subject : ScaleCase.Subject.values()) {
      for (int count : counts()) {
        for (boolean isSilent : List.of(false, true)) {
          results
              .progress()
              .begin(
                  "%s, %d servers%s"
                      .formatted(subject.word(), count, isSilent ? ", one silent" : ""),
                  count);
          measure(
              new ScaleCase(subject, count, byzantine, QuorumKind.STANDARD, Access.ALL, isSilent),
              results);
        }
      }
    }
  }

  /** By number with the fewest servers; with more of them, the second of the numbers. */
  private void measureMemory(MemoryScale memory, BenchOutput results)
      throws IOException, InterruptedException {
    results.text("");
    results.text(MemoryScale.heading());
    int first = realCounts().get(0);
    memory.measure(MemoryScale.Of.LOCK, first, lockCounts());
    memory.measure(MemoryScale.Of.OBJECT, first, objectCounts());
    memory.measure(MemoryScale.Of.CONNECTION, first, connectionCounts());
    for (int count : realCounts().subList(1, realCounts().size())) {
      memory.measure(MemoryScale.Of.LOCK, count, second(lockCounts()));
      memory.measure(MemoryScale.Of.OBJECT, count, second(objectCounts()));
    }
  }

  private static List<Integer> second(List<Integer> counts) {
    return List.of(counts.get(Math.min(1, counts.size() - 1)));
  }

  private void measureRecovery(RecoveryScale recovery, BenchOutput results)
      throws IOException, InterruptedException {
    results.text("");
    results.text(RecoveryScale.heading());
    int most = objectCounts().get(objectCounts().size() - 1);
    for (int size : stateSizes()) {
      recovery.measure(realCounts().get(0), most, size);
    }
  }

  private void measure(ScaleCase ofAll, BenchOutput results) {
    @Nullable ScaleFigures all = null;
    for (ScaleCase setup : ScaleRun.ways(ofAll)) {
      try {
        Thresholds unused = ScaleRun.thresholds(setup);
      } catch (QuorumConfigurationException e) {
        if (setup.access() == Access.ALL) {
          throw new CommandException(e.getMessage() + ".", e);
        }
        continue; // No square, or too small a one.
      }
      ScaleFigures figures = ScaleRun.run(setup, quick ? QUICK_OPERATIONS : OPERATIONS);
      results.row(figures.fields(all).toMap(), figures.line(all), true);
      all = all == null ? figures : all;
    }
  }
}
