package io.testudo.quorum.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Many runs, one seed after the other, on as many threads as there are cores. A run has one thread;
 * which one does not matter to it.
 */
public final class Campaign {
  /** Failing runs of each kind that are kept; more would tell nothing new. */
  private static final int MAX_KEPT_FAILURES = 10;

  private final ScenarioSettings settings;
  private final long firstSeed;
  private final RunStats total = new RunStats();
  private final Map<Violation.Kind, Integer> violations = new EnumMap<>(Violation.Kind.class);
  private final List<ScenarioResult> failures = new ArrayList<>();
  private long scenariosWithCountedLie;
  private long scenariosWithFewFaults;

  /**
   * What a campaign found.
   *
   * @param scenarios how many runs were made
   * @param violationsByKind in how many of them which kind of promise was broken
   * @param withCountedLie in how many of them a lie reached a tally
   * @param withFewFaults in how many of them fewer than two kinds of faults struck
   * @param failures of each kind some of the failing runs, lowest seed first
   */
  public record Report(
      long scenarios,
      RunStats stats,
      Map<Violation.Kind, Integer> violationsByKind,
      long withCountedLie,
      long withFewFaults,
      List<ScenarioResult> failures) {
    /** In how many runs a promise was broken. */
    public long violations() {
      return violationsByKind.values().stream().mapToLong(Integer::longValue).sum();
    }

    public long violations(Violation.Kind kind) {
      return violationsByKind.getOrDefault(kind, 0);
    }

    /** A figure that is positive if a hazard has struck. */
    public long strikes(Hazard hazard) {
      return switch (hazard) {
        case READMISSION -> count(FaultKind.DISK_LOSS) * count(FaultKind.LATE_LIAR);
        case LONG_SLEEP -> count(FaultKind.LONG_SLEEP);
        case FAR_CLOCK -> count(FaultKind.FAR_CLOCK);
        case ROGUE -> count(FaultKind.ROGUE_MESSAGE);
        case HOARDING -> stats.heaviestBytes() * stats.liesTold();
        case STARVATION -> stats.liesTold();
        case NO_FAULTS, DELETES, GLANCES -> scenarios;
      };
    }

    private long count(FaultKind kind) {
      return stats.faults().getOrDefault(kind, 0L);
    }

    /** The lowest failing seed of a kind, or nothing. */
    public Optional<ScenarioResult> firstFailure(Violation.Kind kind) {
      return failures.stream().filter(failure -> isOf(kind, failure)).findFirst();
    }

    /** The lowest failing seed, or nothing. */
    public Optional<ScenarioResult> firstFailure() {
      return failures.stream().findFirst();
    }
  }

  public Campaign(ScenarioSettings settings, long firstSeed) {
    this.settings = settings;
    this.firstSeed = firstSeed;
  }

  /** Makes the runs with the seeds 1, 2 and so on: for tests of a protocol. */
  public static Report ofFirstSeeds(ScenarioSettings settings, long scenarios) {
    try {
      return new Campaign(settings, 1).run(scenarios, Long.MAX_VALUE, 2, done -> {});
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Makes runs with consecutive seeds.
   *
   * @param scenarios how many
   * @param untilNanos the {@code nanoTime} after which none is begun but the first
   * @param progress hears now and then how many are done; called from any thread
   */
  public Report run(long scenarios, long untilNanos, int threads, LongConsumer progress)
      throws InterruptedException {
    long finished =
        new SeedRuns(firstSeed, seed -> add(Simulation.run(settings, seed, Trace.off())))
            .make(scenarios, untilNanos, threads, progress);
    return new Report(
        finished,
        total,
        new EnumMap<>(violations),
        scenariosWithCountedLie,
        scenariosWithFewFaults,
        List.copyOf(failures));
  }

  private synchronized void add(ScenarioResult result) {
    total.add(result.stats());
    if (result.stats().liesCounted() > 0) {
      scenariosWithCountedLie++;
    }
    if (result.stats().kindsOfFaults() < 2) {
      scenariosWithFewFaults++;
    }
    if (result.violation() != null) {
      violations.merge(result.violation().kind(), 1, Integer::sum);
      keep(result, result.violation().kind());
    }
  }

  private static boolean isOf(Violation.Kind kind, ScenarioResult failure) {
    return failure.violation() != null && failure.violation().kind() == kind;
  }

  /** Keeps the failures with the lowest seeds, whatever the order in which threads find them. */
  private void keep(ScenarioResult failure, Violation.Kind kind) {
    failures.add(failure);
    failures.sort(Comparator.comparingLong(ScenarioResult::seed));
    List<ScenarioResult> ofKind = failures.stream().filter(kept -> isOf(kind, kept)).toList();
    if (ofKind.size() > MAX_KEPT_FAILURES) {
      failures.remove(ofKind.get(ofKind.size() - 1));
    }
  }
}
