package io.testudo.bench.objects;

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
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures setups that have servers and sharing in common: floor, ping and each object in turn. */
final class ObjectRun {
  private static final String BENCH = "object";
  private static final int WARM_UP_CLIENTS = 32;

  private final Plan plan;
  private final @Nullable Path directory;
  private final BenchOutput output;
  private final PrintWriter err;
  private final MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());

  /**
   * Measures nothing yet.
   *
   * @param directory in which journals are made; null for where the system keeps temporary files
   */
  ObjectRun(Plan plan, @Nullable Path directory, BenchOutput output, PrintWriter err) {
    this.plan = plan;
    this.directory = directory;
    this.output = output;
    this.err = err;
  }

  void heading() {
    output.text(machine.text());
    output.text(ObjectRow.heading());
  }

  void measure(
      int servers, Connections sharing, List<ObjectSetup> setups, List<Integer> clientCounts)
      throws IOException, InterruptedException {
    List<ObjectContestant> objects = new ArrayList<>();
    int most = Math.max(WARM_UP_CLIENTS, Collections.max(clientCounts));
    try (Baselines baselines = Baselines.start(servers, sharing)) {
      for (ObjectSetup setup : setups) {
        objects.add(ObjectContestant.start(setup, most, directory));
      }
      warmUp(baselines, objects);
      for (int clients : clientCounts) {
        measure(servers, clients, baselines, sharing, objects);
      }
    } finally {
      for (ObjectContestant object : objects) {
        object.close();
      }
    }
  }

  /** One client alone would take very long until all of its code is compiled. */
  private void warmUp(Baselines baselines, List<ObjectContestant> objects)
      throws IOException, InterruptedException {
    if (plan.warmUpNanos() > 0) {
      Plan once = new Plan(1, plan.warmUpNanos(), 0);
      Measured unused = baselines.measure(once, "warm-up: ", WARM_UP_CLIENTS, objects);
    }
  }

  private void measure(
      int servers,
      int clients,
      Baselines baselines,
      Connections sharing,
      List<ObjectContestant> objects)
      throws IOException, InterruptedException {
    String title = "%d servers, %d clients: ".formatted(servers, clients);
    output.progress().begin(title, objects.size());
    Measured measured = baselines.measure(plan, output.progress(), clients, objects);
    BenchCase beside = baselines.benchCase(BENCH, "ping", clients, plan);
    output.row(
        BenchRow.of(beside, measured.floor(), null, machine),
        ObjectRow.line(servers, clients, FloorContestant.NAME, sharing.word(), measured.floor()),
        Rounds.of(measured.floor()));
    output.row(
        BenchRow.of(beside, measured.ping(), measured.floor(), machine),
        ObjectRow.line(
            servers, clients, "ping " + Baselines.PING_MODE, sharing.word(), measured.ping()),
        measured.roundsOf(measured.ping(), false));
    for (int i = 0; i < objects.size(); i++) {
      ObjectRow row = new ObjectRow(objects.get(i), clients, measured.results().get(i), measured);
      output.row(row.fields(plan, machine), row.line(), measured.roundsOf(row.result(), true));
      Columns.warnIfDisturbed(err, row.result(), title);
    }
  }
}
