package io.testudo.bench.objects;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.floor.FloorContestant;
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
import io.testudo.bench.report.TerminalProgress;
import io.testudo.node.Output;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Measures setups that have servers and sharing in common: floor, ping and each object in turn. */
final class ObjectRun {
  private static final String PING_MODE = "hmac";

  private final Plan plan;
  private final @Nullable Path directory;
  private final Output output;
  private final PrintWriter err;
  private final MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());

  /**
   * Measures nothing yet.
   *
   * @param directory in which journals are made; null for where the system keeps temporary files
   */
  ObjectRun(Plan plan, @Nullable Path directory, Output output, PrintWriter err) {
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
    Thresholds ping = Need.PING.thresholds(servers, Need.PING.mostFaults(servers));
    PingSetup pingSetup = new PingSetup(servers, ping.faults(), ping.quorum(), sharing);
    List<ObjectContestant> objects = new ArrayList<>();
    try (FloorContestant floor = FloorContestant.start(servers, ping.quorum(), sharing);
        Contestant pings = new TestudoPingContestants().start(PING_MODE, pingSetup)) {
      for (ObjectSetup setup : setups) {
        objects.add(ObjectContestant.start(setup, directory));
      }
      for (int clients : clientCounts) {
        measure(servers, clients, List.of(floor, pings), objects);
      }
    } finally {
      for (ObjectContestant object : objects) {
        object.close();
      }
    }
  }

  private void measure(
      int servers, int clients, List<Contestant> beside, List<ObjectContestant> objects)
      throws IOException, InterruptedException {
    List<Contestant> all = new ArrayList<>(beside);
    all.addAll(objects);
    String title = "%d servers, %d clients: ".formatted(servers, clients);
    ImmutableList<Result> results;
    try (TerminalProgress progress = TerminalProgress.onTerminal(title)) {
      results =
          new Measurement(plan, OtherLoad.ofThisMachine(), progress)
              .run(all, clients, new ClosedLoad(BenchClock.system(), clients));
    }
    for (int i = 0; i < objects.size(); i++) {
      ObjectRow row =
          new ObjectRow(
              objects.get(i),
              clients,
              results.get(beside.size() + i),
              results.get(0),
              results.get(1));
      output.row(row.fields(plan, machine), row.line());
      double otherShare = results.get(beside.size() + i).otherCpuShare().orElse(0);
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
}
