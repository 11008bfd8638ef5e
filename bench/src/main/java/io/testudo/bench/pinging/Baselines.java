package io.testudo.bench.pinging;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.floor.FloorContestant;
import io.testudo.bench.measure.BenchClock;
import io.testudo.bench.measure.ClosedLoad;
import io.testudo.bench.measure.Contestant;
import io.testudo.bench.measure.Load;
import io.testudo.bench.measure.Measurement;
import io.testudo.bench.measure.Measurement.Heat;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.measure.Result;
import io.testudo.bench.report.BenchCase;
import io.testudo.bench.report.Rounds;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.quorum.Need;
import io.testudo.quorum.Thresholds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * With what a protocol is compared, measured in turn with it: the floor, and the bare quorum round
 * trip, which is Testudo's ping of as many servers over the same kind of connections.
 */
public final class Baselines implements AutoCloseable {
  /** How the ping's connections show who they are. */
  public static final String PING_MODE = "hmac";

  private final PingSetup setup;
  private final Contestant floor;
  private final Contestant ping;

  private Baselines(PingSetup setup, Contestant floor, Contestant ping) {
    this.setup = setup;
    this.floor = floor;
    this.ping = ping;
  }

  /**
   * What was measured in one case.
   *
   * @param barePing the ping with one client only
   * @param results of those that were compared, in their order
   */
  public record Measured(
      Result floor, Result ping, Result barePing, ImmutableList<Result> results) {
    /** The rounds of one of them, beside the floor and, if wanted, the ping. */
    public Rounds roundsOf(Result result, boolean besidePing) {
      Rounds rounds = Rounds.of(result).beside("Floor", result, floor);
      return besidePing ? rounds.beside("Ping", result, ping) : rounds;
    }
  }

  /** Starts their servers. */
  public static Baselines start(int servers, Connections connections)
      throws IOException, InterruptedException {
    Thresholds thresholds = Need.PING.thresholds(servers, Need.PING.mostFaults(servers));
    PingSetup setup = new PingSetup(servers, thresholds.faults(), thresholds.quorum(), connections);
    Contestant floor = FloorContestant.start(servers, thresholds.quorum(), connections);
    try {
      return new Baselines(setup, floor, new TestudoPingContestants().start(PING_MODE, setup));
    } catch (IOException | InterruptedException | RuntimeException e) {
      floor.close();
      throw e;
    }
  }

  /**
   * Measures them and others in turn, in a closed loop.
   *
   * @param title of the case, for people who wait
   */
  public Measured measure(
      Plan plan, String title, int clients, List<? extends Contestant> contestants)
      throws IOException, InterruptedException {
    try (TerminalProgress progress = TerminalProgress.onTerminal(title)) {
      return measure(plan, progress, clients, contestants);
    }
  }

  /**
   * The same as a part of a longer run.
   *
   * @param progress in which the part has begun
   */
  public Measured measure(
      Plan plan, TerminalProgress progress, int clients, List<? extends Contestant> contestants)
      throws IOException, InterruptedException {
    Load load = new ClosedLoad(BenchClock.system(), clients);
    List<Heat> heats = new ArrayList<>();
    // What one client waits for is measured in turn with the rest: machines are fast and slow.
    heats.add(new Heat(ping, 1, new ClosedLoad(BenchClock.system(), 1)));
    heats.add(new Heat(floor, clients, load));
    if (clients > 1) {
      heats.add(new Heat(ping, clients, load));
    }
    int baselines = heats.size();
    contestants.forEach(contestant -> heats.add(new Heat(contestant, clients, load)));
    ImmutableList<Result> results =
        new Measurement(plan, OtherLoad.ofThisMachine(), progress).run(heats);
    Result barePing = results.get(0);
    return new Measured(
        results.get(1),
        clients > 1 ? results.get(2) : barePing,
        barePing,
        results.subList(baselines, results.size()));
  }

  /** What was asked of them, for their own rows. */
  public BenchCase benchCase(String bench, String caseName, int clients, Plan plan) {
    return new BenchCase(
        bench,
        caseName,
        setup.servers(),
        setup.byzantine(),
        clients,
        plan.roundNanos() / 1e9,
        "closed",
        null,
        setup.connections().word(),
        setup.answersAwaited());
  }

  @Override
  public void close() throws IOException {
    try (floor) {
      ping.close();
    }
  }
}
