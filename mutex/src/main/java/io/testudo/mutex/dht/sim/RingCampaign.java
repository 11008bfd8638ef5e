package io.testudo.mutex.dht.sim;

import io.testudo.quorum.sim.SeedRuns;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.sim.Violation;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Many runs of a ring, one seed after the other, on several threads. A run has one thread. */
public final class RingCampaign {
  private final RingSettings settings;
  private final long firstSeed;
  private final Map<Violation.Kind, Long> violations = new EnumMap<>(Violation.Kind.class);
  private long steps;
  private long entries;
  private long overlaps;
  private long churned;
  private long attacks;
  private @Nullable Failure first;

  /** A run that broke a promise. */
  public record Failure(long seed, Violation violation) {}

  /**
   * What a campaign found.
   *
   * @param steps events of all runs
   * @param entries how often a lock was entered
   * @param overlaps how often while another held it
   * @param churned members that came or went
   * @param attacks replicas of a holder that were reset just after it had entered
   * @param violations how many runs broke which kind of promise
   * @param first the one with the lowest seed
   */
  public record Report(
      long scenarios,
      long steps,
      long entries,
      long overlaps,
      long churned,
      long attacks,
      Map<Violation.Kind, Long> violations,
      @Nullable Failure first) {
    /** How many runs broke a promise of this kind. */
    public long of(Violation.Kind kind) {
      return violations.getOrDefault(kind, 0L);
    }
  }

  public RingCampaign(RingSettings settings, long firstSeed) {
    this.settings = settings;
    this.firstSeed = firstSeed;
  }

  /**
   * Makes the runs.
   *
   * @param untilNanos the {@code nanoTime} after which none is begun but the first
   * @param progress hears how many are done; called from any thread
   */
  public Report run(long scenarios, long untilNanos, int threads, LongConsumer progress)
      throws InterruptedException {
    return report(
        new SeedRuns(firstSeed, this::runOne).make(scenarios, untilNanos, threads, progress));
  }

  private synchronized Report report(long finished) {
    return new Report(
        finished, steps, entries, overlaps, churned, attacks, new EnumMap<>(violations), first);
  }

  private void runOne(long seed) {
    try {
      add(RingScenario.run(settings, seed, Trace.off()));
    } catch (RuntimeException e) {
      add(new Failure(seed, Violation.of("the run", e)));
    }
  }

  private synchronized void add(RingScenario.RunResult result) {
    steps += result.steps();
    entries += result.entries();
    overlaps += result.overlaps();
    churned += result.churned();
    attacks += result.attacks();
  }

  private synchronized void add(Failure failure) {
    violations.merge(failure.violation().kind(), 1L, Long::sum);
    if (first == null || failure.seed() < first.seed()) {
      first = failure;
    }
  }
}
