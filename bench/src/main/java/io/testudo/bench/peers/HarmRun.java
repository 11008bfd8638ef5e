package io.testudo.bench.peers;

import io.testudo.bench.driver.HarmPlan;
import io.testudo.bench.driver.HarmRecord;
import io.testudo.bench.driver.PeerDriver;
import io.testudo.bench.driver.ServerHarm;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.peers.HarmCases.HarmCase;
import io.testudo.bench.report.TerminalProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Harms systems, one after the other: others would only take time from the one that is looked at,
 * and what counts is the ratio to what was before. Servers are used again for the next case of
 * their system, unless one of them was killed or something went wrong.
 */
final class HarmRun implements AutoCloseable {
  /** Beyond the plan: calls may end late, and a last look takes its time. */
  private static final Duration SLACK = Duration.ofSeconds(60);

  private final DriverCommands commands;
  private final RunGuard guard;
  private final PeerRun.Patience patience;
  private final long warmUpNanos;
  private final OtherLoad otherLoad;
  private final TerminalProgress progress;
  private @Nullable Running running;
  private int started;

  private record Running(Peer peer, DriverProcess process, String version) {}

  /**
   * What a case gave.
   *
   * @param figures null if it failed
   * @param failure why; null if it did not
   */
  record Outcome(
      String version,
      @Nullable HarmFigures figures,
      @Nullable String failure,
      OptionalDouble otherCpuShare) {}

  HarmRun(
      DriverCommands commands,
      RunGuard guard,
      PeerRun.Patience patience,
      long warmUpNanos,
      OtherLoad otherLoad,
      TerminalProgress progress) {
    this.commands = commands;
    this.guard = guard;
    this.patience = patience;
    this.warmUpNanos = warmUpNanos;
    this.otherLoad = otherLoad;
    this.progress = progress;
  }

  /** One case, with new servers where those that run may be in doubt. */
  Outcome run(HarmCase one, HarmPlan plan) throws IOException, InterruptedException {
    String version = "";
    try {
      Running system = system(one.peer());
      version = system.version();
      DriverProcess driver = system.process();
      tell(driver, PeerDriver.OPEN + " " + one.work().line(), PeerDriver.OPENED, patience.open());
      if (warmUpNanos > 0) {
        progress.accept(": warms up");
        tell(
            driver,
            PeerDriver.RUN + " " + warmUpNanos,
            PeerDriver.ROUND,
            patience.drain().plusNanos(warmUpNanos));
      }
      progress.accept("");
      OtherLoad.Sample before = otherLoad.sample();
      String line = PeerDriver.HARM + " " + plan.line();
      String answer = tell(driver, line, PeerDriver.HARMED, SLACK.plusNanos(plan.nanos()));
      OptionalDouble others = OtherLoad.shareBetween(before, otherLoad.sample());
      HarmFigures figures = figures(driver, plan, line, answer);
      if (one.harm() == ServerHarm.KILL || figures.record().hung() > 0) {
        end();
      }
      return figures.hasWorkedBefore()
          ? new Outcome(version, figures, null, others)
          : new Outcome(version, null, "it did nothing even before", others);
    } catch (DriverException e) {
      end();
      return new Outcome(version, null, e.reason(), OptionalDouble.empty());
    }
  }

  private static String tell(DriverProcess driver, String line, String word, Duration within)
      throws DriverException, InterruptedException {
    return driver.tell(line, word, within);
  }

  private static HarmFigures figures(
      DriverProcess driver, HarmPlan plan, String line, String answer) throws DriverException {
    try {
      return new HarmFigures(plan, HarmRecord.parse(answer, plan.slices()));
    } catch (IllegalArgumentException e) {
      throw driver.nonsense(line, answer);
    }
  }

  private Running system(Peer peer) throws IOException, DriverException, InterruptedException {
    Running present = running;
    if (present != null && present.peer().equals(peer)) {
      return present;
    }
    end();
    progress.accept(": starts");
    String directory = peer.name() + "-" + started++;
    DriverProcess process = guard.launch(peer.name(), directory, commands.command(peer));
    try {
      String version =
          tell(
              process,
              PeerDriver.START + " " + guard.path().resolve(directory),
              PeerDriver.READY,
              patience.start());
      running = new Running(peer, process, version);
      return running;
    } catch (DriverException | InterruptedException e) {
      process.kill();
      throw e;
    }
  }

  private void end() {
    if (running != null) {
      guard.end(running.process());
      running = null;
    }
  }

  @Override
  public void close() {
    end();
  }
}
