package io.testudo.bench.rings;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.plot.Series;
import io.testudo.bench.plot.Series.Point;
import io.testudo.bench.plot.SvgPlot;
import io.testudo.bench.plot.SvgPlot.Scale;
import io.testudo.bench.report.BenchOutput;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.dht.sim.ZoneExperiment;
import io.testudo.mutex.dht.sim.ZoneExperiment.Membership;
import io.testudo.mutex.dht.sim.ZoneExperiment.Outcome;
import io.testudo.mutex.dht.sim.ZoneExperiment.Setting;
import io.testudo.quorum.ShareQuorum;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The two bounds of zone voting, by the share of the space that liars have. */
final class ZoneTables implements RingTable {
  private static final int MEMBERS = 40;
  private static final int WHOLE = 100;
  private static final int DEFAULT_PERCENT = 75;

  /** Beyond both bounds at first, and then so many honest members come. */
  private static final double TOO_MUCH = 0.55;

  private static final int INSTITUTED = 120;

  private final RingPlan plan;
  private final Map<Setting, List<ImmutableList<Outcome>>> outcomes = new LinkedHashMap<>();

  /** A row of the table. */
  record ZoneBoundRow(
      String reproduction,
      String table,
      String rules,
      String membership,
      double quorum,
      double malicious,
      int runs,
      int exclusive,
      int progressing,
      boolean holds) {}

  ZoneTables(RingPlan plan) {
    this.plan = plan;
    for (int percent : plan.quorumPercent()) {
      plan.maliciousPercent().forEach(liars -> add(percent, true, liars, Membership.STEADY));
    }
    for (Membership membership : Membership.values()) {
      plan.maliciousPercent().forEach(liars -> add(DEFAULT_PERCENT, true, liars, membership));
    }
    plan.maliciousPercent().forEach(liars -> add(DEFAULT_PERCENT, false, liars, Membership.STEADY));
    outcomes.put(restoring(), Collections.synchronizedList(new ArrayList<>()));
  }

  private void add(int percent, boolean queues, int liars, Membership membership) {
    outcomes.putIfAbsent(
        new Setting(
            new ShareQuorum(percent, WHOLE),
            queues,
            Routings.RING,
            MEMBERS,
            liars / (double) WHOLE,
            membership,
            0),
        Collections.synchronizedList(new ArrayList<>()));
  }

  private static Setting restoring() {
    return new Setting(
        new ShareQuorum(DEFAULT_PERCENT, WHOLE),
        true,
        Routings.RING,
        MEMBERS,
        TOO_MUCH,
        Membership.STEADY,
        INSTITUTED);
  }

  @Override
  public void addRuns(List<Runnable> runs, long seed) {
    outcomes.forEach(
        (setting, all) -> {
          for (int i = 0; i < plan.runs(); i++) {
            long number = seed * 1_000 + i;
            runs.add(() -> all.add(ZoneExperiment.run(setting, number)));
          }
        });
  }

  @Override
  public String claims() {
    return "zone voting is exclusive and makes progress within its bounds";
  }

  @Override
  public boolean print(BenchOutput output) {
    boolean holds = true;
    output.text(
        "Zone voting: %d members, liars with a share x of the space; f of it wins"
            .formatted(MEMBERS));
    output.text(
        "%-9s %-10s %6s %6s %6s %6s %10s %10s"
            .formatted("rules", "members", "f", "x", "2f-1", "1-f", "exclusive", "progress"));
    for (Map.Entry<Setting, List<ImmutableList<Outcome>>> one : outcomes.entrySet()) {
      int rounds = one.getKey().instituted() > 0 ? 2 : 1;
      for (int round = 0; round < rounds; round++) {
        holds &= printRow(output, one.getKey(), round, one.getValue());
      }
    }
    output.text(
        "Claims: exclusion while x < 2f-1, progress while x <= 1-f, each judged in every run by its"
            + " own x; instituting new members restores both. Of runs beyond a bound nothing is"
            + " claimed; counted is in how many each is kept.\n");
    return holds;
  }

  private static boolean printRow(
      BenchOutput output, Setting setting, int round, List<ImmutableList<Outcome>> runs) {
    ShareQuorum quorum = setting.quorum();
    boolean holds = true;
    double share = 0;
    int exclusive = 0;
    int progressing = 0;
    for (ImmutableList<Outcome> run : runs) {
      Outcome outcome = run.get(round);
      share += outcome.malicious() / runs.size();
      exclusive += outcome.isExclusive() ? 1 : 0;
      progressing += outcome.progresses() ? 1 : 0;
      holds &= outcome.isExclusive() || outcome.malicious() >= quorum.shared();
      holds &= outcome.progresses() || outcome.malicious() > quorum.dispensable();
    }
    String membership =
        setting.instituted() == 0
            ? setting.membership().name().toLowerCase(Locale.ROOT)
            : round == 0 ? "before" : "instituted";
    output.row(
        new ZoneBoundRow(
            "dht",
            "zone",
            setting.queues() ? "sigma" : "strawman",
            membership,
            quorum.share(),
            share,
            runs.size(),
            exclusive,
            progressing,
            holds),
        String.format(
            Locale.ROOT,
            "%-9s %-10s %6.2f %6.2f %6.2f %6.2f %7d/%-2d %7d/%-2d  %s",
            setting.queues() ? "sigma" : "strawman",
            membership,
            quorum.share(),
            share,
            quorum.shared(),
            quorum.dispensable(),
            exclusive,
            runs.size(),
            progressing,
            runs.size(),
            PaperFigures.verdict(holds)));
    return holds;
  }

  @Override
  public void plot(Path directory) throws IOException {
    ImmutableList.Builder<Series> series = ImmutableList.builder();
    series.add(new Series("exclusive", line(true), false));
    series.add(new Series("progress", line(false), false));
    Files.writeString(
        directory.resolve("dht-zone.svg"),
        SvgPlot.svg(
            "Zone voting, 3/4 of the space wins",
            "share of the space that liars have",
            Scale.LINEAR,
            "part of runs",
            Scale.LINEAR,
            series.build()),
        UTF_8);
  }

  private ImmutableList<Point> line(boolean exclusive) {
    ImmutableList.Builder<Point> line = ImmutableList.builder();
    outcomes.forEach(
        (setting, runs) -> {
          boolean isOfTheLine =
              setting.queues()
                  && setting.instituted() == 0
                  && setting.membership() == Membership.STEADY
                  && setting.quorum().needed() == DEFAULT_PERCENT;
          if (isOfTheLine) {
            double share = 0;
            double kept = 0;
            for (ImmutableList<Outcome> run : runs) {
              Outcome outcome = run.get(0);
              share += outcome.malicious() / runs.size();
              boolean isKept = exclusive ? outcome.isExclusive() : outcome.progresses();
              kept += isKept ? 1.0 / runs.size() : 0;
            }
            line.add(Point.exact(share, kept));
          }
        });
    return line.build();
  }
}
