package io.testudo.bench.locking;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.floor.FloorContestant;
import io.testudo.bench.locking.LockRow.Beside;
import io.testudo.bench.measure.BenchClock;
import io.testudo.bench.measure.ClosedLoad;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Measurement;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.pinging.PingSetup;
import io.testudo.bench.pinging.TestudoPingContestants;
import io.testudo.bench.report.BenchCase;
import io.testudo.bench.report.BenchRow;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.node.Output;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Measures one cluster after the other: floor, ping and all uses of the lock in turn. */
final class LockRun {
  private static final String BENCH = "lock";
  private static final String PING_MODE = "hmac";

  private final Plan plan;
  private final Connections connections;
  private final ImmutableList<LockUse> uses;
  private final Output output;
  private final PrintWriter err;
  private final MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());

  /** The ping of one client with the present cluster, once it was measured. */
  private @Nullable Result barePing;

  /** A protocol that asks its servers in one way. */
  record Way(LockProtocol protocol, Thresholds thresholds) {}

  LockRun(
      Plan plan,
      Connections connections,
      ImmutableList<LockUse> uses,
      Output output,
      PrintWriter err) {
    this.plan = plan;
    this.connections = connections;
    this.uses = uses;
    this.output = output;
    this.err = err;
  }

  void heading() {
    output.text(machine.text());
    output.text(LockRow.heading());
  }

  /**
   * Measures all cases with one cluster.
   *
   * @param ways the protocols, with the thresholds of each way to ask these servers
   */
  void measure(int servers, List<Way> ways, List<LockCase> cases)
      throws IOException, InterruptedException {
    Thresholds ping = Need.PING.thresholds(servers, Need.PING.mostFaults(servers));
    PingSetup pingSetup = new PingSetup(servers, ping.faults(), ping.quorum(), connections);
    try (FloorContestant floor = FloorContestant.start(servers, ping.quorum(), connections);
        Contestant pings = new TestudoPingContestants().start(PING_MODE, pingSetup);
        LockCluster cluster = LockCluster.start(servers, protocols(ways))) {
      barePing = null;
      for (LockCase one : cases) {
        measure(one, pingSetup, List.of(floor, pings), contestants(cluster, ways, one));
      }
    }
  }

  private static ImmutableList<LockProtocol> protocols(List<Way> ways) {
    return ways.stream().map(Way::protocol).distinct().collect(ImmutableList.toImmutableList());
  }

  private ImmutableList<LockContestant> contestants(
      LockCluster cluster, List<Way> ways, LockCase one) {
    ImmutableList.Builder<LockContestant> contestants = ImmutableList.builder();
    for (Way way : ways) {
      LockSetup setup = new LockSetup(way.protocol(), way.thresholds(), one.locks(), connections);
      uses.forEach(use -> contestants.add(new LockContestant(cluster, setup, use)));
    }
    return contestants.build();
  }

  private void measure(
      LockCase one,
      PingSetup pingSetup,
      List<Contestant> beside,
      ImmutableList<LockContestant> locks)
      throws IOException, InterruptedException {
    List<Contestant> all = new ArrayList<>(beside);
    all.addAll(locks);
    String title =
        "%d servers, %s, %d clients: ".formatted(pingSetup.servers(), one.name(), one.clients());
    ImmutableList<Result> results;
    try (TerminalProgress progress = TerminalProgress.onTerminal(title)) {
      results =
          new Measurement(plan, OtherLoad.ofThisMachine(), progress)
              .run(all, one.clients(), new ClosedLoad(BenchClock.system(), one.clients()));
    }
    Result floor = results.get(0);
    Result ping = results.get(1);
    printBeside(one, pingSetup, floor, ping);
    if (one.clients() == 1) {
      barePing = ping;
    }
    Beside figures = new Beside(floor, ping, barePing, plan.roundNanos() / 1e9, machine);
    for (int i = 0; i < locks.size(); i++) {
      Result result = results.get(beside.size() + i);
      LockRow row = LockRow.of(one, locks.get(i), result, figures);
      output.row(row, row.line());
      warn(row.otherCpuShare() == null ? 0 : row.otherCpuShare(), title);
    }
  }

  private void printBeside(LockCase one, PingSetup setup, Result floor, Result ping) {
    BenchCase benchCase =
        new BenchCase(
            BENCH,
            one.name(),
            setup.servers(),
            setup.byzantine(),
            one.clients(),
            plan.roundNanos() / 1e9,
            "closed",
            null,
            connections.name().toLowerCase(Locale.ROOT),
            setup.answersAwaited());
    printBeside(benchCase, FloorContestant.NAME, floor, null);
    printBeside(benchCase, "ping " + PING_MODE, ping, floor);
  }

  private void printBeside(
      BenchCase benchCase, String what, Result result, @Nullable Result floor) {
    output.row(
        BenchRow.of(benchCase, result, floor, machine),
        LockRow.line(
            benchCase.servers(),
            benchCase.caseName(),
            benchCase.clients(),
            what,
            result.opsPerSecond(),
            result.p50Micros().median(),
            result.p99Micros().median(),
            "",
            "",
            ""));
  }

  private void warn(double otherShare, String title) {
    if (otherShare > OtherLoad.WARNING_SHARE) {
      err.printf(
          Locale.ROOT,
          "warning: %sother processes took %.0f %% of the machine: measure again when it is"
              + " quiet%n",
          title,
          otherShare * 100);
    }
  }
}
