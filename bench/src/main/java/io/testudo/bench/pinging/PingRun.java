package io.testudo.bench.pinging;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.floor.FloorContestant;
import io.testudo.bench.measure.BenchClock;
import io.testudo.bench.measure.ClosedLoad;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Load;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.Measurement;
import io.testudo.bench.measure.OpenLoad;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.report.BenchCase;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.BenchRow;
import io.testudo.bench.report.BenchTable;
import io.testudo.bench.report.Rounds;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures one cluster after the other and prints a row for each contestant and case. */
final class PingRun {
  private static final String BENCH = "ping";

  private final Plan plan;
  private final @Nullable Double rate;
  private final ImmutableMap<String, PingContestants> known;
  private final ImmutableList<String> shown;
  private final BenchOutput output;
  private final PrintWriter err;
  private final BenchClock clock = BenchClock.system();
  private final MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());

  /**
   * @param rate of an open loop, or null for a closed one
   * @param shown the modes that get a row; the floor is measured in any case
   * @param err for warnings
   */
  PingRun(
      Plan plan,
      @Nullable Double rate,
      ImmutableMap<String, PingContestants> known,
      ImmutableList<String> shown,
      BenchOutput output,
      PrintWriter err) {
    this.plan = plan;
    this.rate = rate;
    this.known = known;
    this.shown = shown;
    this.output = output;
    this.err = err;
  }

  void heading() {
    output.text(machine.text());
    output.text(BenchTable.heading());
  }

  void measure(PingSetup setup, List<Integer> clientCounts)
      throws IOException, InterruptedException {
    List<Contestant> contestants = new ArrayList<>();
    try {
      contestants.add(
          FloorContestant.start(setup.servers(), setup.answersAwaited(), setup.connections()));
      for (String mode : shown) {
        PingContestants source = known.get(mode);
        if (source != null) {
          contestants.add(source.start(mode, setup));
        }
      }
      for (int clients : clientCounts) {
        measure(setup, clients, contestants);
      }
    } finally {
      closeAll(contestants);
    }
  }

  private void measure(PingSetup setup, int clients, List<Contestant> contestants)
      throws IOException, InterruptedException {
    Load load = rate == null ? new ClosedLoad(clock, clients) : new OpenLoad(clock, clients, rate);
    output.progress().begin("%d servers, %d clients: ".formatted(setup.servers(), clients), 1);
    ImmutableList<Result> results =
        new Measurement(plan, OtherLoad.ofThisMachine(), output.progress())
            .run(contestants, clients, load);
    BenchCase benchCase =
        new BenchCase(
            BENCH,
            BENCH,
            setup.servers(),
            setup.byzantine(),
            clients,
            plan.roundNanos() / 1e9,
            load.name(),
            rate,
            setup.connections().word(),
            setup.answersAwaited());
    Result floor = results.get(0);
    for (Result result : results) {
      if (shown.contains(String.valueOf(result.contestant().mode()))) {
        boolean isFloor = result.contestant().system().equals(FloorContestant.NAME);
        Rounds rounds = Rounds.of(result);
        print(
            BenchRow.of(benchCase, result, isFloor ? null : floor, machine),
            isFloor ? rounds : rounds.beside("Floor", result, floor));
      }
    }
  }

  private void print(BenchRow row, Rounds rounds) {
    output.row(row, BenchTable.line(row), rounds);
    String warning = BenchTable.warning(row);
    if (warning != null) {
      err.println(warning);
    }
  }

  /** All of them, whatever the first ones say: none may leave a process behind. */
  private static void closeAll(List<Contestant> contestants) throws IOException {
    IOException first = null;
    for (Contestant contestant : contestants) {
      try {
        contestant.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
