package io.testudo.bench.contention;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.testudo.bench.contention.counter.CounterContention;
import io.testudo.bench.contention.counter.ObjectOptions;
import io.testudo.bench.measure.Spread;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.bench.report.Rounds;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testudo bench contention}: amortised response times in virtual time. */
@Command(
    name = "contention",
    description = {
      "Show how the time that a turn costs grows with the number of contenders.",
      "Virtual time, in the model of Chockler, Malkhi and Reiter (2001): all contenders begin"
          + " together, want one turn each, and messages take up to delta. The protocol's machines"
          + " are the real ones. The same options give the same figures (docs/contention.md).",
      "Figures are total time / turns, in units of hold + 2 delta.",
      "With --object: clients that increment one replicated counter, each again and again, in"
          + " virtual time. Figures are in round trips.",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench contention --quick",
      "  testudo bench contention --contenders 1,2,4,8,16,32,64,128,256,512 --plot docs/figures",
      "  testudo bench contention --variants plain,waiting-list,standard --seeds 101 --json",
      "  testudo bench contention --object --quick --out contention",
      "  testudo bench contention --object --clients 4 --round-trip 1 --fault silent,holderDies",
    })
public final class ContentionCommand implements Subcommand {
  static final int MAX_CONTENDERS = 4_096;
  static final int MAX_IDLE = 1_000_000;
  static final int MAX_SEEDS = 10_000;

  private static final int SERVERS = 4;
  private static final int SEEDS = 51;
  private static final int QUICK_SEEDS = 5;
  private static final int POPULATION_SEEDS = 3;
  private static final double MOST_WEIGHT = 64;
  private static final double MAX_MILLIS = 60_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final ImmutableList<String> OF_LOCKS =
      ImmutableList.of(
          "--contenders",
          "--variants",
          "--idle",
          "--hold-millis",
          "--delta-millis",
          "--refresh-millis",
          "--delays",
          "--load");

  @Option(
      names = "--contenders",
      split = ",",
      paramLabel = "M",
      defaultValue = "1,2,4,8,16,32,64,128,256,512",
      description = "Numbers of contenders (${DEFAULT-VALUE}).")
  private List<Integer> contenders = new ArrayList<>();

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "NAME",
      description = "Which ways to run the protocol; all if left out.")
  private List<String> variants = new ArrayList<>();

  @Option(
      names = "--idle",
      split = ",",
      paramLabel = "N",
      defaultValue = "0,10,100000",
      description =
          "Populations of idle clients for the curves of plain and standard (${DEFAULT-VALUE});"
              + " with --quick none. Each had a turn before.")
  private List<Integer> idle = new ArrayList<>();

  @Option(
      names = "--servers",
      paramLabel = "N",
      description = "Size of the cluster (" + SERVERS + "; of an object the least).")
  private @Nullable Integer servers;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "all-servers or quorums: whom a contender asks (all-servers). Of an object:"
              + " sealed-statements, sealed-ranks or plain (all of them).")
  private @Nullable String mode;

  @Option(
      names = "--hold-millis",
      paramLabel = "MS",
      defaultValue = "10",
      description = "How long a turn is asked for (${DEFAULT-VALUE}).")
  private double holdMillis;

  @Option(
      names = "--delta-millis",
      paramLabel = "MS",
      defaultValue = "1",
      description = "The longest one-way delay (${DEFAULT-VALUE}).")
  private double deltaMillis;

  @Option(
      names = "--refresh-millis",
      paramLabel = "MS",
      defaultValue = "10",
      description = "How often those in a waiting list show that they wait (${DEFAULT-VALUE}).")
  private double refreshMillis;

  @Option(
      names = "--delays",
      defaultValue = "uniform",
      description = "uniform: up to delta; constant: always delta (${DEFAULT-VALUE}).")
  private Delays delays = Delays.UNIFORM;

  @Option(
      names = "--load",
      paramLabel = "L",
      description =
          "Contenders arrive in a Poisson process, L in a unit of time, instead of all together.")
  private @Nullable Double load;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "Runs for each figure ("
              + SEEDS
              + "; with --quick "
              + QUICK_SEEDS
              + "; of an object 3 and 1).")
  private @Nullable Integer seeds;

  @Option(
      names = "--plot",
      paramLabel = "DIR",
      description = "Write the curves there as SVG files, too.")
  private @Nullable Path plot;

  @Option(names = "--quick", description = "Few seeds and no populations: a look.")
  private boolean quick;

  @ArgGroup(exclusive = false, heading = "%nOf an object:%n")
  private @Nullable ObjectOptions ofObject;

  @Spec private CommandSpec spec;

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  /** For picocli. */
  public ContentionCommand() {}

  @Override
  public Integer call() {
    BenchOutput results = out.open(output, true);
    try {
      if (ofObject == null) {
        measureLocks(results);
      } else {
        refuseOptionsOfLocks();
        CounterContention.measure(ofObject, mode, servers, seeds, quick, plot, results);
      }
      results.finish();
    } catch (IOException e) {
      throw new CommandException(
          "Cannot write the figures, choose another --plot: %s.".formatted(e.getMessage()), e);
    }
    return ExitCode.OK;
  }

  private void refuseOptionsOfLocks() {
    for (String option : OF_LOCKS) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new CommandException("%s is of locks: leave it out or --object.".formatted(option));
      }
    }
  }

  private void measureLocks(BenchOutput results) throws IOException {
    ModelSettings settings = settings();
    ImmutableList<Variant> chosen = chosenVariants();
    int chosenSeeds = seeds != null ? seeds : quick ? QUICK_SEEDS : SEEDS;
    check("--seeds", chosenSeeds, 1, MAX_SEEDS);
    contenders.forEach(count -> check("--contenders", count, 1, MAX_CONTENDERS));
    idle.forEach(count -> check("--idle", count, 0, MAX_IDLE));
    heading(settings, chosenSeeds, results);
    List<Variant> amongIdle =
        Variants.ofPopulations().stream()
            .filter(variant -> !quick && chosen.contains(variant))
            .toList();
    double weightOfCurve = contenders.stream().mapToDouble(ContentionCommand::weight).sum();
    results.progress().expect((chosen.size() + amongIdle.size() * idle.size()) * weightOfCurve);
    List<Curve> curves = new ArrayList<>();
    for (Variant variant : chosen) {
      curves.add(measure("amortised", settings, variant, 0, chosenSeeds, results));
    }
    List<Curve> populations = new ArrayList<>();
    for (Variant variant : amongIdle) {
      for (int count : idle) {
        populations.add(measure("population", settings, variant, count, POPULATION_SEEDS, results));
      }
    }
    int overlaps =
        Stream.concat(curves.stream(), populations.stream())
            .flatMap(curve -> curve.points().stream())
            .mapToInt(CurvePoint::overlaps)
            .sum();
    results.verdict("never two inside at once", overlaps == 0, overlaps + " overlaps");
    if (plot != null) {
      ContentionFigures.write(plot, curves, populations);
    }
  }

  /** About how the time of a point grows; long ones get fewer seeds. */
  private static double weight(int contenders) {
    return Math.min(contenders, MOST_WEIGHT);
  }

  private Curve measure(
      String caseName,
      ModelSettings settings,
      Variant variant,
      int idleClients,
      int runs,
      BenchOutput results) {
    String name =
        caseName.equals("population")
            ? String.format(Locale.ROOT, "%s, %,d idle clients", variant.name(), idleClients)
            : variant.name();
    ImmutableList.Builder<CurvePoint> points = ImmutableList.builder();
    for (int count : contenders) {
      results.progress().begin("%s, %d contenders".formatted(name, count), weight(count));
      CurvePoint point = CurvePoint.of(settings, variant, count, idleClients, runs);
      points.add(point);
      ContentionRow row = ContentionRow.of(caseName, point);
      if (results.isJson()) {
        results.row(row, "", rounds(point));
      } else {
        results.keep(row, rounds(point));
      }
    }
    Curve curve = new Curve(variant, idleClients, points.build());
    ContentionTable.lines(name, curve.points()).forEach(results::text);
    if (variant.returns()) {
      results.text(ContentionTable.returningLine(curve.points()));
    }
    return curve;
  }

  private static Rounds rounds(CurvePoint point) {
    Spread units = point.amortisedUnits();
    return units == null ? Rounds.none() : Rounds.none().with("amortisedUnits", units.rounds());
  }

  private void heading(ModelSettings settings, int runs, BenchOutput results) {
    results.text(
        String.format(
            Locale.ROOT,
            "%d servers, %s, hold %s ms, delta %s ms (%s), refresh %s ms, %s, %d seeds",
            settings.thresholds().servers(),
            settings.thresholds().need().modeName(),
            holdMillis,
            deltaMillis,
            delays.name().toLowerCase(Locale.ROOT),
            refreshMillis,
            load == null ? "all begin together" : load + " arrive in a unit",
            runs));
    results.text(ContentionTable.heading(contenders));
  }

  private ModelSettings settings() {
    checkMillis("--hold-millis", holdMillis);
    checkMillis("--delta-millis", deltaMillis);
    checkMillis("--refresh-millis", refreshMillis);
    if (load != null && !(load > 0 && load <= 1_000)) {
      throw new CommandException("--load must be above 0 and at most 1000.");
    }
    return new ModelSettings(
        thresholds(),
        (long) (holdMillis * NANOS_PER_MILLI),
        (long) (deltaMillis * NANOS_PER_MILLI),
        (long) (refreshMillis * NANOS_PER_MILLI),
        delays,
        load);
  }

  private Thresholds thresholds() {
    int count = servers != null ? servers : SERVERS;
    for (Need need : List.of(BackoffProtocol.ALL_SERVERS, BackoffProtocol.QUORUMS)) {
      if (mode == null || need.modeName().equals(mode)) {
        try {
          return need.thresholds(count, need.mostFaults(count));
        } catch (QuorumConfigurationException e) {
          throw new CommandException(e.getMessage() + ".", e);
        }
      }
    }
    throw new CommandException(
        "There is no mode %s: choose all-servers or quorums.".formatted(mode));
  }

  private ImmutableList<Variant> chosenVariants() {
    ImmutableList<String> known =
        Variants.ALL.stream().map(Variant::name).collect(ImmutableList.toImmutableList());
    for (String name : variants) {
      if (!known.contains(name)) {
        throw new CommandException(
            "There is no variant %s: choose from %s.".formatted(name, Joiner.on(", ").join(known)));
      }
    }
    return variants.isEmpty()
        ? Variants.ALL
        : Variants.ALL.stream()
            .filter(variant -> variants.contains(variant.name()))
            .collect(ImmutableList.toImmutableList());
  }

  private static void check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new CommandException("%s must be from %d to %d.".formatted(option, least, most));
    }
  }

  private static void checkMillis(String option, double millis) {
    if (!(millis >= 0.001 && millis <= MAX_MILLIS)) {
      throw new CommandException("%s must be from 0.001 to 60000.".formatted(option));
    }
  }
}
