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
import io.testudo.mutex.dht.sim.RoundsExperiment.Setting;
import io.testudo.mutex.sigma.SigmaProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures 3 to 5 of the paper on E2E and Non-E2E, against Sigma direct and routed. */
final class PaperFigures implements RingTable {
  private static final int REPLICAS = 3;
  private static final int VOTES = 2;
  private static final double LEAST_RATIO = 1.5;
  private static final double MOST_RATIO = 2.5;

  /** Locks that 20 requests a round are spread over: the paper's, and more and less contention. */
  private static final ImmutableList<Integer> RESOURCES = ImmutableList.of(65, 10, 1_000);

  private static final ImmutableList<Integer> REPLICA_COUNTS = ImmutableList.of(3, 5, 9);

  private static final ImmutableList<DhtBackends> COMPARED =
      ImmutableList.of(
          DhtBackends.SIGMA_DHT,
          DhtBackends.SIGMA_DHT_ROUTED,
          DhtBackends.E2E,
          DhtBackends.E2E_UNCONFIRMED,
          DhtBackends.NON_E2E);

  private final RingPlan plan;
  private final Routings routing;
  private final Map<Setting, RingPoint> points = new LinkedHashMap<>();

  PaperFigures(RingPlan plan, Routings routing) {
    this.plan = plan;
    this.routing = routing;
    for (DhtBackends backend : COMPARED) {
      RESOURCES.forEach(locks -> sizes(locks).forEach(nodes -> add(size(backend, nodes, locks))));
      REPLICA_COUNTS.forEach(replicas -> add(load(backend, replicas)));
      plan.churn().forEach(churn -> add(churning(backend, churn)));
    }
  }

  @Override
  public void addRuns(List<Runnable> runs, long seed) {
    for (RingPoint point : points.values()) {
      for (int i = 0; i < point.runs(); i++) {
        int number = i;
        runs.add(() -> point.run(number, seed * 1_000));
      }
    }
  }

  @Override
  public String claims() {
    return "messages, load and churn as in the paper, %s routing".formatted(routing.word());
  }

  @Override
  public boolean print(BenchOutput output) {
    boolean holds = printSizes(output);
    holds &= printLoads(output);
    holds &= printChurn(output);
    return holds;
  }

  /** All sizes with the paper's locks; how the load matters shows in one ring. */
  private ImmutableList<Integer> sizes(int locks) {
    return locks == RESOURCES.get(0) ? plan.nodes() : ImmutableList.of(plan.nodes().get(0));
  }

  private Setting size(DhtBackends backend, int nodes, int locks) {
    return Setting.ofPaper(backend, routing, nodes, REPLICAS, VOTES).withResources(locks);
  }

  private Setting load(DhtBackends backend, int replicas) {
    int votes = SigmaProtocol.CRASHES.thresholds(replicas, 0).smallestQuorum();
    return Setting.ofPaper(backend, routing, plan.loadNodes(), replicas, votes);
  }

  private Setting churning(DhtBackends backend, int churn) {
    return Setting.ofPaper(backend, routing, plan.churnNodes(), REPLICAS, VOTES).withChurn(churn);
  }

  private void add(Setting setting) {
    points.putIfAbsent(setting, new RingPoint(setting, plan.runs()));
  }

  private RingPoint at(Setting setting) {
    RingPoint point = points.get(setting);
    if (point == null) {
      throw new IllegalStateException("nothing was run of " + setting);
    }
    return point;
  }

  private boolean printSizes(BenchOutput output) {
    boolean holds = true;
    for (int locks : RESOURCES) {
      output.text(
          "Figure 3, %s routing: messages of 20 rounds of 20 requests for %,d locks, %d replicas, %d must vote"
              .formatted(routing.word(), locks, REPLICAS, VOTES));
      output.text(
          "%-18s %7s %10s %12s %8s %13s %13s"
              .formatted(
                  "backend",
                  "nodes",
                  "messages",
                  "maintenance",
                  "entries",
                  "Sigma direct",
                  "Sigma routed"));
      for (DhtBackends backend : COMPARED) {
        for (int nodes : sizes(locks)) {
          RingPoint point = at(size(backend, nodes, locks));
          double direct = ratio(point, at(size(DhtBackends.SIGMA_DHT, nodes, locks)));
          double routed = ratio(point, at(size(DhtBackends.SIGMA_DHT_ROUTED, nodes, locks)));
          boolean isClaimed = isClaimed(backend) && locks == RESOURCES.get(0);
          boolean isWithin = routed >= LEAST_RATIO && routed <= MOST_RATIO;
          holds &= !isClaimed || isWithin;
          output.row(
              row("nodes", point, direct, routed, isClaimed ? (Boolean) isWithin : null, false),
              line(
                  "%-18s %,7d %,10.0f %,12.0f %8.0f %12.2fx %12.2fx  %s",
                  backend.word(),
                  nodes,
                  point.mutexMessages(),
                  point.maintenance(),
                  point.entries(),
                  direct,
                  routed,
                  isClaimed ? verdict(isWithin) : ""));
        }
      }
      output.text("");
    }
    output.text(
        "Claim: E2E and Non-E2E need 1.5 to 2.5 times fewer messages than Sigma; judged beside Sigma"
            + " routed. Linear in nodes is only the maintenance; messages of the mutex grow with the"
            + " way to a replica.\n");
    return holds;
  }

  private static boolean isClaimed(DhtBackends backend) {
    return backend == DhtBackends.E2E
        || backend == DhtBackends.E2E_UNCONFIRMED
        || backend == DhtBackends.NON_E2E;
  }

  private static double ratio(RingPoint point, RingPoint sigma) {
    return sigma.mutexMessages() / point.mutexMessages();
  }

  private boolean printLoads(BenchOutput output) {
    boolean holds = true;
    output.text(
        "Figure 4, %s routing: messages that a member handles, of %,d members"
            .formatted(routing.word(), plan.loadNodes()));
    output.text(
        "%-18s %9s %8s %8s %8s %8s"
            .formatted("backend", "replicas", "median", "90 %", "99 %", "most"));
    for (DhtBackends backend : COMPARED) {
      double before = 0;
      for (int replicas : REPLICA_COUNTS) {
        RingPoint point = at(load(backend, replicas));
        double sigma = at(load(DhtBackends.SIGMA_DHT_ROUTED, replicas)).load(1);
        boolean isMore = point.mutexMessages() > before;
        boolean isLess = !isClaimed(backend) || point.load(1) < sigma;
        before = point.mutexMessages();
        holds &= isMore && isLess;
        output.row(
            row("load", point, null, null, isMore && isLess, true),
            line(
                "%-18s %9d %8.0f %8.0f %8.0f %8.0f  %s",
                backend.word(),
                replicas,
                point.load(0.5),
                point.load(0.9),
                point.load(0.99),
                point.load(1),
                verdict(isMore && isLess)));
      }
    }
    output.text(
        "Claim: load grows with the replicas, and the most loaded member handles less than under"
            + " Sigma (routed).\n");
    return holds;
  }

  private boolean printChurn(BenchOutput output) {
    boolean holds = true;
    output.text(
        "Figure 5, %s routing: members that come or go in a round, of %,d"
            .formatted(routing.word(), plan.churnNodes()));
    output.text(
        "%-18s %7s %10s %12s %8s %10s"
            .formatted("backend", "churn", "messages", "maintenance", "entries", "of churn 0"));
    int most = plan.churn().get(plan.churn().size() - 1);
    double sigmaRise = rise(DhtBackends.SIGMA_DHT_ROUTED, most);
    for (DhtBackends backend : COMPARED) {
      for (int churn : plan.churn()) {
        RingPoint point = at(churning(backend, churn));
        double rise = rise(backend, churn);
        boolean isClaimed = isClaimed(backend) && churn == most;
        boolean isSlower = rise <= sigmaRise;
        holds &= !isClaimed || isSlower;
        output.row(
            row("churn", point, null, null, isClaimed ? (Boolean) isSlower : null, false),
            line(
                "%-18s %,7d %,10.0f %,12.0f %8.0f %9.2fx  %s",
                backend.word(),
                churn,
                point.mutexMessages(),
                point.maintenance(),
                point.entries(),
                rise,
                isClaimed ? verdict(isSlower) : ""));
      }
    }
    output.text(
        "Claim: with much churn the messages of E2E and Non-E2E rise less than Sigma's (routed).\n");
    return holds;
  }

  private double rise(DhtBackends backend, int churn) {
    return at(churning(backend, churn)).mutexMessages() / at(churning(backend, 0)).mutexMessages();
  }

  static String verdict(boolean holds) {
    return holds ? "holds" : "DIFFERS";
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static RingRow row(
      String table,
      RingPoint point,
      @Nullable Double direct,
      @Nullable Double routed,
      @Nullable Boolean holds,
      boolean withLoads) {
    Setting setting = point.setting();
    return new RingRow(
        "dht",
        table,
        setting.backend().word(),
        setting.routing().word(),
        setting.nodes(),
        setting.replicas(),
        setting.resources(),
        setting.churn(),
        point.runs(),
        point.mutexMessages(),
        point.maintenance(),
        point.entries(),
        direct,
        routed,
        withLoads ? (Double) point.load(0.5) : null,
        withLoads ? (Double) point.load(0.99) : null,
        withLoads ? (Double) point.load(1) : null,
        holds);
  }

  @Override
  public void plot(Path directory) throws IOException {
    plot(
        directory.resolve("dht-nodes-" + routing.word() + ".svg"),
        "Messages of 20 rounds of 20 requests for 65 locks, " + routing.word() + " routing",
        "nodes",
        "messages of the mutex",
        series(plan.nodes(), (backend, nodes) -> size(backend, nodes, RESOURCES.get(0))));
    plot(
        directory.resolve("dht-churn-" + routing.word() + ".svg"),
        "Messages by churn, " + routing.word() + " routing",
        "members that come or go in a round",
        "messages of the mutex",
        series(plan.churn(), (backend, churn) -> churning(backend, churn)));
    plot(
        directory.resolve("dht-load-" + routing.word() + ".svg"),
        "Messages that a member handles, 5 replicas, " + routing.word() + " routing",
        "messages",
        "part of members that handle no more",
        loadSeries());
  }

  private static void plot(
      Path file, String title, String labelX, String labelY, ImmutableList<Series> series)
      throws IOException {
    Files.writeString(
        file, SvgPlot.svg(title, labelX, Scale.LINEAR, labelY, Scale.LINEAR, series), UTF_8);
  }

  private interface SettingOf {
    Setting of(DhtBackends backend, int x);
  }

  private ImmutableList<Series> series(ImmutableList<Integer> places, SettingOf settings) {
    ImmutableList.Builder<Series> all = ImmutableList.builder();
    for (DhtBackends backend : COMPARED) {
      ImmutableList.Builder<Point> line = ImmutableList.builder();
      for (int place : places) {
        line.add(Point.exact(place, at(settings.of(backend, place)).mutexMessages()));
      }
      all.add(new Series(backend.word(), line.build(), false));
    }
    return all.build();
  }

  private ImmutableList<Series> loadSeries() {
    ImmutableList.Builder<Series> all = ImmutableList.builder();
    for (DhtBackends backend : COMPARED) {
      ImmutableList.Builder<Point> line = ImmutableList.builder();
      for (int percent = 1; percent <= 100; percent++) {
        line.add(Point.exact(at(load(backend, 5)).load(percent / 100.0), percent / 100.0));
      }
      all.add(new Series(backend.word(), line.build(), false));
    }
    return all.build();
  }
}
