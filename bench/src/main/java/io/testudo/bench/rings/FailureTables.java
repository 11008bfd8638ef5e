package io.testudo.bench.rings;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.plot.Series;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.plot.SvgPlot;
import io.testudo.bench.plot.SvgPlot.Scale;
import io.testudo.bench.report.BenchOutput;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.sim.HolderDeathExperiment;
import io.testudo.mutex.dht.sim.NodeLifeExperiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What failures cost: short lives of members, as in the paper of 2004, and holders that die. */
final class FailureTables implements RingTable {
  /** As in the paper of 2004. */
  private static final int REPLICAS = 32;

  private static final int VOTES = 24;

  /** Of throughput without failures, at a mean life of 1,000 s and more. */
  private static final double LITTLE = 0.8;

  private static final int LONG_LIFE = 1_000;

  private static final ImmutableList<DhtBackends> WITH_QUEUES =
      ImmutableList.of(DhtBackends.SIGMA_DHT, DhtBackends.E2E, DhtBackends.NON_E2E);

  private final RingPlan plan;
  private final Map<NodeLifeExperiment.Setting, List<NodeLifeExperiment.Outcome>> lives =
      new LinkedHashMap<>();
  private final Map<HolderDeathExperiment.Setting, List<HolderDeathExperiment.Outcome>> deaths =
      new LinkedHashMap<>();

  /** A row of either table. What does not apply is absent. */
  record FailureRow(
      String reproduction,
      String table,
      String backend,
      String routing,
      int lifeSeconds,
      int runs,
      double entriesPerSecond,
      double overlaps,
      double membersDied,
      double waitersLost,
      double firstSeconds,
      double meanSeconds,
      boolean holds) {}

  FailureTables(RingPlan plan) {
    this.plan = plan;
  }

  @Override
  public void addRuns(List<Runnable> runs, long seed) {
    for (Routings routing : Routings.values()) {
      for (int life : plan.lifeSeconds()) {
        NodeLifeExperiment.Setting setting =
            new NodeLifeExperiment.Setting(DhtBackends.SIGMA_DHT, routing, REPLICAS, VOTES, life);
        List<NodeLifeExperiment.Outcome> outcomes = kept(lives, setting);
        for (int i = 0; i < plan.runs(); i++) {
          long number = seed * 1_000 + i;
          runs.add(() -> outcomes.add(NodeLifeExperiment.run(setting, number)));
        }
      }
      for (DhtBackends backend : WITH_QUEUES) {
        for (boolean dies : new boolean[] {false, true}) {
          HolderDeathExperiment.Setting setting =
              new HolderDeathExperiment.Setting(backend, routing, 5, 3, plan.waiters(), dies);
          List<HolderDeathExperiment.Outcome> outcomes = kept(deaths, setting);
          for (int i = 0; i < plan.runs(); i++) {
            long number = seed * 1_000 + i;
            runs.add(() -> outcomes.add(HolderDeathExperiment.run(setting, number)));
          }
        }
      }
    }
  }

  private static <S, O> List<O> kept(Map<S, List<O>> all, S setting) {
    List<O> outcomes = Collections.synchronizedList(new ArrayList<>());
    all.put(setting, outcomes);
    return outcomes;
  }

  private static <O> double mean(List<O> outcomes, ToDoubleFunction<O> figure) {
    return outcomes.stream().mapToDouble(figure).average().orElseThrow();
  }

  @Override
  public String claims() {
    return "exclusion holds while members forget and holders die";
  }

  @Override
  public boolean print(BenchOutput output) {
    boolean livesHold = printLives(output);
    return printDeaths(output) && livesHold;
  }

  private boolean printLives(BenchOutput output) {
    boolean holds = true;
    output.text(
        "2004: Sigma, %d replicas of which %d must vote, members that die and are taken over"
            .formatted(REPLICAS, VOTES));
    output.text(
        "%-8s %10s %10s %10s %12s"
            .formatted("routing", "life (s)", "died", "entries/s", "overlaps"));
    for (Map.Entry<NodeLifeExperiment.Setting, List<NodeLifeExperiment.Outcome>> one :
        lives.entrySet()) {
      NodeLifeExperiment.Setting setting = one.getKey();
      double perSecond = mean(one.getValue(), NodeLifeExperiment.Outcome::perSecond);
      double overlaps = mean(one.getValue(), NodeLifeExperiment.Outcome::overlaps);
      double died = mean(one.getValue(), NodeLifeExperiment.Outcome::deaths);
      boolean isLong = setting.lifeSeconds() == 0 || setting.lifeSeconds() >= LONG_LIFE;
      boolean isAsClaimed =
          overlaps == 0 && (!isLong || perSecond >= LITTLE * undisturbed(setting.routing()));
      holds &= isAsClaimed;
      output.row(
          new FailureRow(
              "dht",
              "life",
              setting.backend().word(),
              setting.routing().word(),
              setting.lifeSeconds(),
              one.getValue().size(),
              perSecond,
              overlaps,
              died,
              0,
              0,
              0,
              isAsClaimed),
          String.format(
              Locale.ROOT,
              "%-8s %10s %10.0f %10.2f %12.1f  %s",
              setting.routing().word(),
              setting.lifeSeconds() == 0 ? "for ever" : setting.lifeSeconds(),
              died,
              perSecond,
              overlaps,
              PaperFigures.verdict(isAsClaimed)));
    }
    output.text(
        "Claim: nobody enters while another holds the lock, and lives of 1,000 s and more cost"
            + " little throughput (judged: a fifth at most).\n");
    return holds;
  }

  private double undisturbed(Routings routing) {
    return lives.entrySet().stream()
        .filter(one -> one.getKey().lifeSeconds() == 0 && one.getKey().routing() == routing)
        .mapToDouble(one -> mean(one.getValue(), NodeLifeExperiment.Outcome::perSecond))
        .findFirst()
        .orElseThrow();
  }

  private boolean printDeaths(BenchOutput output) {
    boolean holds = true;
    output.text(
        "Holders that fail: %d wait when the holder releases the lock, or dies with a lease of 3 s"
            .formatted(plan.waiters()));
    output.text(
        "%-8s %-12s %-10s %8s %12s %12s"
            .formatted("routing", "backend", "holder", "lost", "first (s)", "mean (s)"));
    for (Map.Entry<HolderDeathExperiment.Setting, List<HolderDeathExperiment.Outcome>> one :
        deaths.entrySet()) {
      HolderDeathExperiment.Setting setting = one.getKey();
      double lost = plan.waiters() - mean(one.getValue(), HolderDeathExperiment.Outcome::served);
      double mean = mean(one.getValue(), HolderDeathExperiment.Outcome::meanSeconds);
      boolean isClaimed = setting.backend() == DhtBackends.NON_E2E && setting.dies();
      boolean isAsClaimed = lost == 0 && (!isClaimed || mean < ofE2e(setting));
      holds &= isAsClaimed;
      output.row(
          new FailureRow(
              "dht",
              setting.dies() ? "holder dies" : "holder releases",
              setting.backend().word(),
              setting.routing().word(),
              0,
              one.getValue().size(),
              0,
              0,
              0,
              lost,
              mean(one.getValue(), HolderDeathExperiment.Outcome::firstSeconds),
              mean,
              isAsClaimed),
          String.format(
              Locale.ROOT,
              "%-8s %-12s %-10s %8.1f %12.2f %12.2f  %s",
              setting.routing().word(),
              setting.backend().word(),
              setting.dies() ? "dies" : "releases",
              lost,
              mean(one.getValue(), HolderDeathExperiment.Outcome::firstSeconds),
              mean,
              isClaimed ? PaperFigures.verdict(isAsClaimed) : ""));
    }
    output.text(
        "Claim: Non-E2E tolerates failures better. Judged: nobody who waits is lost, and on average"
            + " they get the lock sooner than with E2E when the holder dies.\n");
    return holds;
  }

  private double ofE2e(HolderDeathExperiment.Setting setting) {
    List<HolderDeathExperiment.Outcome> outcomes =
        deaths.get(
            new HolderDeathExperiment.Setting(
                DhtBackends.E2E,
                setting.routing(),
                setting.replicas(),
                setting.votes(),
                setting.waiters(),
                true));
    if (outcomes == null) {
      throw new IllegalStateException("nothing was run of E2E");
    }
    return mean(outcomes, HolderDeathExperiment.Outcome::meanSeconds);
  }

  @Override
  public void plot(Path directory) throws IOException {
    ImmutableList.Builder<Series> series = ImmutableList.builder();
    for (Routings routing : Routings.values()) {
      ImmutableList.Builder<Point> line = ImmutableList.builder();
      lives.forEach(
          (setting, outcomes) -> {
            if (setting.routing() == routing && setting.lifeSeconds() > 0) {
              line.add(
                  Point.exact(
                      setting.lifeSeconds(),
                      mean(outcomes, NodeLifeExperiment.Outcome::perSecond)));
            }
          });
      series.add(new Series(routing.word(), line.build(), false));
    }
    Files.writeString(
        directory.resolve("dht-life.svg"),
        SvgPlot.svg(
            "Sigma under takeover, 24 of 32",
            "mean life of a member (s)",
            Scale.LOGARITHMIC,
            "entries a second",
            Scale.LINEAR,
            series.build()),
        UTF_8);
  }
}
