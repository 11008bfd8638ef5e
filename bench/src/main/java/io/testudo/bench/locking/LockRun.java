package io.testudo.bench.locking;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.floor.FloorContestant;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.pinging.Baselines;
import io.testudo.bench.pinging.Baselines.Measured;
import io.testudo.bench.report.BenchCase;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.BenchRow;
import io.testudo.bench.report.Columns;
import io.testudo.bench.report.Rounds;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Measures one cluster after the other: floor, ping and all uses of the lock in turn. */
final class LockRun {
  private static final String BENCH = "lock";

  private final Plan plan;
  private final Connections connections;
  private final ImmutableList<LockUse> uses;
  private final BenchOutput output;
  private final PrintWriter err;
  private final MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());

  /** A protocol that asks its servers in one way. */
  record Way(LockProtocol protocol, Thresholds thresholds) {
    Servers servers() {
      return new Servers(protocol, MeasuredLocks.liarsOf(thresholds));
    }
  }

  /** What ways must have in common to be ways to ask the same servers. */
  private record Servers(LockProtocol protocol, int byzantine) {}

  LockRun(
      Plan plan,
      Connections connections,
      ImmutableList<LockUse> uses,
      BenchOutput output,
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
    Map<Servers, MeasuredLockCluster> clusters = new LinkedHashMap<>();
    int most = cases.stream().mapToInt(LockCase::clients).max().orElse(1);
    try (Baselines baselines = Baselines.start(servers, connections)) {
      for (Way way : ways) {
        Servers asked = way.servers();
        if (!clusters.containsKey(asked)) {
          clusters.put(
              asked,
              MeasuredLockCluster.start(
                  asked.protocol(), servers, asked.byzantine(), connections.sessions(most)));
        }
      }
      for (LockCase one : cases) {
        measure(one, servers, baselines, contestants(clusters, ways, one));
      }
    } finally {
      for (MeasuredLockCluster cluster : clusters.values()) {
        cluster.close();
      }
    }
  }

  private ImmutableList<LockContestant> contestants(
      Map<Servers, MeasuredLockCluster> clusters, List<Way> ways, LockCase one) {
    ImmutableList.Builder<LockContestant> contestants = ImmutableList.builder();
    for (Way way : ways) {
      MeasuredLockCluster cluster = Objects.requireNonNull(clusters.get(way.servers()));
      LockSetup setup = new LockSetup(way.protocol(), way.thresholds(), one.locks(), connections);
      uses.forEach(use -> contestants.add(new LockContestant(cluster, setup, use)));
    }
    return contestants.build();
  }

  private void measure(
      LockCase one, int servers, Baselines baselines, ImmutableList<LockContestant> locks)
      throws IOException, InterruptedException {
    String title = "%d servers, %s, %d clients: ".formatted(servers, one.name(), one.clients());
    output.progress().begin(title, 1);
    Measured measured = baselines.measure(plan, output.progress(), one.clients(), locks);
    BenchCase beside = baselines.benchCase(BENCH, one.name(), one.clients(), plan);
    output.row(
        BenchRow.of(beside, measured.floor(), null, machine),
        LockRow.line(servers, one, FloorContestant.NAME, measured.floor()),
        Rounds.of(measured.floor()));
    output.row(
        BenchRow.of(beside, measured.ping(), measured.floor(), machine),
        LockRow.line(servers, one, "ping " + Baselines.PING_MODE, measured.ping()),
        measured.roundsOf(measured.ping(), false));
    for (int i = 0; i < locks.size(); i++) {
      LockRow row = new LockRow(one, locks.get(i), measured.results().get(i), measured);
      output.row(row.fields(plan, machine), row.line(), measured.roundsOf(row.result(), true));
      Columns.warnIfDisturbed(err, row.result(), title);
    }
  }
}
