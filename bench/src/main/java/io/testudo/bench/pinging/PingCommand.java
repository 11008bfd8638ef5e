package io.testudo.bench.pinging;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.floor.FloorContestant;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.bench.report.PlanOptions;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testudo bench ping}: round trips to a quorum of servers. */
@Command(
    name = "ping",
    description = {
      "Measure full round trips to a quorum of servers, beside the floor.",
      "The floor is bare Netty without authentication, on the same connections and awaiting as many"
          + " answers. It is measured in every run, in turn with the others (docs/bench.md).",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench ping --quick",
      "  testudo bench ping --servers 4,6 --clients 1,8,32,64 --json",
      "  testudo bench ping --servers 6 --clients 64 --mode floor --await all",
      "  testudo bench ping --servers 4 --clients 32 --rate 5000",
      "  testudo bench ping --out ping",
    })
public final class PingCommand implements Subcommand {

  /** What a ping waits for. */
  enum Await {
    QUORUM,
    ALL
  }

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "N",
      defaultValue = "4,6",
      description = "Sizes of the cluster (${DEFAULT-VALUE}).")
  private List<Integer> servers = new ArrayList<>();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,8,32,64",
      description = "Numbers of clients, each with one operation at a time (${DEFAULT-VALUE}).")
  private List<Integer> clients = new ArrayList<>();

  @Option(
      names = "--mode",
      split = ",",
      paramLabel = "MODE",
      description = "What to show beside the floor; all that there is if left out.")
  private List<String> modes = new ArrayList<>();

  @Option(
      names = "--connections",
      defaultValue = "shared",
      description =
          "shared: all clients share one connection to each server; separate: each client has its"
              + " own (${DEFAULT-VALUE}).")
  private Connections connections = Connections.SHARED;

  @Option(
      names = "--await",
      defaultValue = "quorum",
      description = "How many answers end a ping: quorum or all (${DEFAULT-VALUE}).")
  private Await await = Await.QUORUM;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description =
          "An open loop: R pings start in a second, whatever earlier ones take, and latency counts"
              + " from the intended start.")
  private @Nullable Double rate;

  @Mixin private PlanOptions planOptions = new PlanOptions();

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  @Spec private CommandSpec command;

  /** For picocli. */
  public PingCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Plan plan = planOptions.plan();
    ImmutableMap<String, PingContestants> known = knownModes();
    ImmutableList<String> chosen = chosenModes(known);
    ImmutableList<PingSetup> setups = setups();
    PlanOptions.checkClients(clients);
    if (rate != null && !(rate > 0 && rate <= TimeUnit.SECONDS.toNanos(1))) {
      throw new CommandException("--rate must be above 0 and at most 1000000000 a second.");
    }
    BenchOutput results = out.open(output, false);
    PingRun run = new PingRun(plan, rate, known, chosen, results, command.commandLine().getErr());
    try {
      run.heading();
      results.progress().expect(setups.size() * clients.size());
      for (PingSetup setup : setups) {
        run.measure(setup, clients);
      }
      results.finish();
      return ExitCode.OK;
    } catch (IOException | MeasurementException e) {
      throw PlanOptions.brokeOff(e);
    }
  }

  private static ImmutableMap<String, PingContestants> knownModes() {
    ImmutableMap.Builder<String, PingContestants> known = ImmutableMap.builder();
    for (PingContestants contestants : ServiceLoader.load(PingContestants.class)) {
      contestants.modes().forEach(mode -> known.put(mode, contestants));
    }
    return known.buildOrThrow();
  }

  private ImmutableList<String> chosenModes(ImmutableMap<String, PingContestants> known) {
    ImmutableList<String> all =
        ImmutableList.<String>builder().add(FloorContestant.NAME).addAll(known.keySet()).build();
    for (String mode : modes) {
      if (!all.contains(mode)) {
        throw new CommandException(
            "There is no mode %s: choose from %s.".formatted(mode, Joiner.on(", ").join(all)));
      }
    }
    return modes.isEmpty()
        ? all
        : all.stream().filter(modes::contains).collect(ImmutableList.toImmutableList());
  }

  private ImmutableList<PingSetup> setups() {
    ImmutableList.Builder<PingSetup> setups = ImmutableList.builder();
    try {
      for (int count : servers) {
        int byzantine = Need.PING.mostFaults(count);
        int quorum = Need.PING.thresholds(count, byzantine).quorum();
        setups.add(
            new PingSetup(count, byzantine, await == Await.ALL ? count : quorum, connections));
      }
    } catch (QuorumConfigurationException e) {
      throw new CommandException(e.getMessage() + ".", e);
    }
    return setups.build();
  }
}
