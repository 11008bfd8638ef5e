package io.testudo.bench.reproduce;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.ReproducedResults;
import io.testudo.bench.report.Rounds;
import io.testudo.bench.report.RunRecord;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.bench.reproduce.Claims.OfExclusion;
import io.testudo.bench.reproduce.Claims.OfLatency;
import io.testudo.bench.reproduce.Claims.OfLife;
import io.testudo.node.Output;
import io.testudo.node.Reproduction;
import io.testudo.quorum.ResetRisk;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The figures of the papers on Sigma, beside those of the machines here. See docs/reproduce.md. */
public final class SigmaReproduction implements Reproduction {
  private static final String SIGMA = "sigma";
  private static final double GAP_SECONDS = 2;
  private static final double WAIT_TOLERANCE = 0.03;
  private static final double LIFE_TOLERANCE = 0.08;
  private static final double PROBABILITY_TOLERANCE = 0.02;

  /** Of 4n, under load. */
  private static final double MESSAGES_TOLERANCE = 0.1;

  private static final Latency WIDEST = Claims.LATENCIES.get(Claims.LATENCIES.size() - 1).latency();

  private static final int MESSAGES_ALONE = 3;
  private static final int MESSAGES_BUSY = 4;

  /** For the service loader. */
  public SigmaReproduction() {}

  @Override
  public String protocol() {
    return SIGMA;
  }

  @Override
  public boolean run(Settings settings, Output output) throws IOException {
    ReproductionPlan plan = settings.quick() ? ReproductionPlan.quick() : ReproductionPlan.full();
    return run(plan, settings, output);
  }

  boolean run(ReproductionPlan plan, Settings settings, Output output) throws IOException {
    RunRecord run = ReproducedResults.begin(SIGMA, settings);
    Models models = new Models(settings.seed());
    Jobs jobs = new Jobs();
    Sweep sigma = Sweep.ofSigma(plan, models, jobs);
    Sweep strawman = Sweep.ofStrawman(plan, models, jobs);
    Map<OfLatency, Supplier<Figures>> alone = new LinkedHashMap<>();
    for (OfLatency claims : Claims.LATENCIES) {
      Runs runs = models.sigma(claims.latency(), 1);
      alone.put(claims, jobs.add(1, () -> runs.alone(plan.aloneEntries(), GAP_SECONDS)));
    }
    Map<OfLife, List<Supplier<Figures>>> lives = closedLoops(plan, models, jobs);
    Map<Integer, Supplier<Figures>> waiters = new LinkedHashMap<>();
    for (int clients : Claims.WAITERS) {
      Runs runs = models.deployedSigma(WIDEST, 20_000 + clients);
      waiters.put(
          clients,
          jobs.add(
              ReproductionPlan.HIGHEST_RATE,
              () ->
                  runs.closed(
                      clients + 1,
                      Double.POSITIVE_INFINITY,
                      plan.warmUpSeconds(),
                      plan.seconds())));
    }
    output.text(
        String.format(
            Locale.ROOT,
            "%d servers of which %d must grant; latencies in ms, fixed for each client and server;"
                + " empty critical sections; virtual time%n",
            Claims.SERVERS,
            Claims.GRANTS));
    try (TerminalProgress progress = TerminalProgress.onTerminal("")) {
      jobs.runAll(progress);
    }
    Table life = lifeTable(lives);
    ImmutableList<Table> tables =
        ImmutableList.of(
            sigma.saturation(),
            strawman.collapse(),
            aloneTable(alone),
            busyTable(sigma),
            waitersTable(waiters),
            life,
            exclusionTable());
    tables.forEach(table -> table.print(output));
    boolean holds = tables.stream().allMatch(Table::holds);
    output.text(holds ? "All claims hold." : "Some claims do not hold: see above.");
    if (settings.figures().isPresent()) {
      SigmaFigures.write(settings.figures().get(), sigma, strawman, life);
      BenchOutput results = ReproducedResults.open(run, settings, output);
      for (Table table : tables) {
        table.rows().forEach(row -> results.keep(row, Rounds.none()));
        table.judge(results);
      }
      results.finish();
    }
    return holds;
  }

  private static Map<OfLife, List<Supplier<Figures>>> closedLoops(
      ReproductionPlan plan, Models models, Jobs jobs) {
    Map<OfLife, List<Supplier<Figures>>> lives = new LinkedHashMap<>();
    for (OfLife claims : Claims.LIVES) {
      List<Supplier<Figures>> repeats = new ArrayList<>();
      for (int i = 0; i < plan.repeats(); i++) {
        // The same latencies for each life: only what forgetting does is to differ.
        Runs runs = models.sigma(WIDEST, 10_000 + i);
        repeats.add(
            jobs.add(
                ReproductionPlan.HIGHEST_RATE,
                () ->
                    runs.closed(
                        Claims.CLOSED_LOOP_CLIENTS,
                        claims.lifeSeconds(),
                        plan.warmUpSeconds(),
                        plan.closedSeconds())));
      }
      lives.put(claims, repeats);
    }
    return lives;
  }

  private static Table aloneTable(Map<OfLatency, Supplier<Figures>> runs) {
    Table table =
        new Table(
            "uncontended",
            "Sigma: who is alone waits for, and messages of an entry (3n)",
            String.format(
                Locale.ROOT,
                "%-10s %10s %10s %10s %10s %10s",
                "latency",
                "here, ms",
                "theory",
                "claimed",
                "messages",
                "3n"));
    runs.forEach(
        (claims, run) -> {
          Figures figures = run.get();
          double theory = Theory.uncontendedMillis(claims.latency(), Models.THRESHOLDS);
          double messages = figures.messagesPerEntry();
          int expected = MESSAGES_ALONE * Claims.SERVERS;
          boolean waitHolds = Table.near(figures.meanWaitMillis(), theory, WAIT_TOLERANCE);
          boolean messagesHold = messages == expected;
          String unused =
              table
                  .row(SIGMA, "waitMillis", figures.meanWaitMillis())
                  .at(claims.latency())
                  .theory(theory)
                  .claimed(claims.aloneMillis())
                  .holds(waitHolds);
          String unusedToo =
              table
                  .row(SIGMA, "messagesPerEntry", messages)
                  .at(claims.latency())
                  .claimed(expected)
                  .holds(messagesHold);
          table.line(
              "%-10s %10.1f %10.1f %10.0f %10.1f %10d  %s",
              claims.latency(),
              figures.meanWaitMillis(),
              theory,
              claims.aloneMillis(),
              messages,
              expected,
              Table.verdict(waitHolds && messagesHold));
        });
    return table;
  }

  private static Table busyTable(Sweep sigma) {
    Sweep.At at = sigma.ofWidest(ReproductionPlan.BUSY_RATE);
    double messages = at.figures().get().messagesPerEntry();
    int expected = MESSAGES_BUSY * Claims.SERVERS;
    Table table =
        new Table(
            "busy",
            "Sigma: messages of an entry under load (about 4n)",
            String.format(
                Locale.ROOT, "%-10s %10s %10s %10s", "latency", "requests", "here", "4n"));
    String verdict =
        table
            .row(SIGMA, "messagesPerEntry", messages)
            .at(WIDEST)
            .rate(at.rate())
            .claimed(expected)
            .holds(Table.near(messages, expected, MESSAGES_TOLERANCE));
    table.line("%-10s %8.1f/s %10.1f %10d  %s", WIDEST, at.rate(), messages, expected, verdict);
    return table;
  }

  private static Table waitersTable(Map<Integer, Supplier<Figures>> runs) {
    Table table =
        new Table(
            "waiters",
            "Sigma as deployed: messages of an entry by clients that wait, latencies %s"
                .formatted(WIDEST),
            String.format(
                Locale.ROOT,
                "%-10s %10s %10s %10s %10s",
                "waiting",
                "entries/s",
                "messages",
                "times n",
                "at most"));
    runs.forEach(
        (clients, run) -> {
          Figures figures = run.get();
          double messages = figures.messagesPerEntry();
          int most = Claims.MOST_MESSAGES * Claims.SERVERS;
          String verdict =
              table
                  .row(SIGMA, "messagesPerEntry", messages)
                  .at(WIDEST)
                  .clients(clients + 1)
                  .claimed(most)
                  .holds(messages <= most);
          table.line(
              "%-10d %10.2f %10.1f %10.2f %10d  %s",
              clients, figures.perSecond(), messages, messages / Claims.SERVERS, most, verdict);
        });
    return table;
  }

  private static Table lifeTable(Map<OfLife, List<Supplier<Figures>>> lives) {
    Table table =
        new Table(
            "server-life",
            "Sigma: %d clients without a pause, servers that lose their memory, latencies %s"
                .formatted(Claims.CLOSED_LOOP_CLIENTS, WIDEST),
            String.format(
                Locale.ROOT,
                "%-10s %10s %10s %10s",
                "life, s",
                "entries/s",
                "claimed",
                "messages"));
    lives.forEach(
        (claims, repeats) -> {
          Figures figures = Figures.sum(repeats.stream().map(Supplier::get).toList());
          String verdict =
              table
                  .row(SIGMA, "entriesPerSecond", figures.perSecond())
                  .life(claims.lifeSeconds())
                  .claimed(claims.perSecond())
                  .with(figures)
                  .holds(Table.near(figures.perSecond(), claims.perSecond(), LIFE_TOLERANCE));
          table.line(
              "%-10s %10.2f %10.2f %10.0f  %s",
              Double.isInfinite(claims.lifeSeconds())
                  ? "for ever"
                  : String.format(Locale.ROOT, "%,.0f", claims.lifeSeconds()),
              figures.perSecond(),
              claims.perSecond(),
              figures.messagesPerEntry(),
              verdict);
        });
    return table;
  }

  private static Table exclusionTable() {
    Table table =
        new Table(
            "exclusion",
            String.format(
                Locale.ROOT,
                "Probability that servers which forget break exclusion: hold %.0f s, life %,.0f s",
                Claims.HOLD_SECONDS,
                Claims.LIFE_SECONDS),
            String.format(
                Locale.ROOT, "%-22s %10s %10s", "servers, grants", "computed", "claimed"));
    double forgets = Claims.HOLD_SECONDS / Claims.LIFE_SECONDS;
    for (OfExclusion claims : Claims.EXCLUSION) {
      Thresholds thresholds = Models.thresholds(claims.servers(), claims.grants());
      addExclusion(table, claims, "", ResetRisk.amongGranters(thresholds, forgets));
    }
    addExclusion(
        table,
        Claims.EXCLUSION_OF_PAPER,
        ", of all servers",
        ResetRisk.amongAll(Models.THRESHOLDS, forgets));
    return table;
  }

  private static void addExclusion(Table table, OfExclusion claims, String note, double computed) {
    String verdict =
        table
            .row(SIGMA, "probability", computed)
            .of(claims.servers(), claims.grants())
            .life(Claims.LIFE_SECONDS)
            .claimed(claims.probability())
            .holds(Table.near(computed, claims.probability(), PROBABILITY_TOLERANCE));
    table.line(
        "%-22s %10.1e %10.1e  %s",
        "%d, %d%s".formatted(claims.servers(), claims.grants(), note),
        computed,
        claims.probability(),
        verdict);
  }
}
