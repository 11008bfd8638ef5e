package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.HarmPlan;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.ServerHarm;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.peers.HarmCases.HarmCase;
import io.testudo.bench.peers.HarmCases.Subject;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.bench.report.RowFields;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testudo bench faults}: what callers see while a server is harmed. */
@Command(
    name = "faults",
    description = {
      "What callers see while a server is killed, stops, lags or lies, and how long it takes until"
          + " all is as before: for Testudo and for systems that people use today.",
      "Callers work all the time. Each system is harmed by itself, its busiest server (the leader,"
          + " where there is one); all figures are ratios to the time before in the same trial"
          + " (docs/bench.md).",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all was measured, but for what was left out by name",
      "1:a system could not be measured, or Testudo broke a promise"
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench faults --only testudo --quick",
      "  testudo bench faults --quick --out faults",
      "  testudo bench faults --only testudo,zookeeper,etcd --harm kill --case lock --json",
      "  testudo bench faults --only testudo --harm lie --lie stale",
    })
public final class FaultsCommand implements Subcommand {
  private static final double SLICE_SECONDS = 0.1;
  private static final double LONGEST_SECONDS = 300;
  private static final int MOST_CALLERS = 64;

  @Mixin private PeerChoice choice = new PeerChoice();

  @Option(
      names = "--harm",
      split = ",",
      paramLabel = "HARM",
      defaultValue = "kill,stop,lag,lie",
      description =
          "kill: its process is killed, and started again; stop: it is stopped (SIGSTOP), and goes"
              + " on; lag: it stands still for 50 of each 60 ms; lie: it lies, which only a server"
              + " of Testudo can be told to (${DEFAULT-VALUE}).")
  private List<ServerHarm> harms = new ArrayList<>();

  @Option(
      names = "--case",
      split = ",",
      paramLabel = "CASE",
      defaultValue = "lock,increment",
      description =
          "lock: pairs of lock and unlock, each caller at a lock of its own; increment: all at one"
              + " counter (${DEFAULT-VALUE}).")
  private List<Subject> subjects = new ArrayList<>();

  @Option(
      names = "--callers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads that call, with one client object (${DEFAULT-VALUE}).")
  private int callers;

  @Option(
      names = "--lie",
      paramLabel = "KIND",
      defaultValue = "equivocate",
      description = "How a liar lies: a kind of the simulator's (${DEFAULT-VALUE}).")
  private String lie = "";

  @Option(
      names = "--before",
      paramLabel = "S",
      description = "Seconds before the harm (5; with --quick 2).")
  private @Nullable Double before;

  @Option(
      names = "--during",
      paramLabel = "S",
      description = "Seconds under it (10; with --quick 3).")
  private @Nullable Double during;

  @Option(
      names = "--after",
      paramLabel = "S",
      description = "Seconds after it (15; with --quick 4).")
  private @Nullable Double after;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description = "Seconds under load before each trial (10; with --quick 3).")
  private @Nullable Double warmUp;

  @Option(names = "--quick", description = "Short times: a look, not figures to quote.")
  private boolean quick;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where servers keep their files meanwhile; else where temporary files are.")
  private @Nullable Path directory;

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  @Spec private CommandSpec command;

  /** For picocli. */
  public FaultsCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    checkOptions();
    DriverCommands commands = DriverCommands.ofThisProcess(quick);
    ImmutableList<Peer> chosen = choice.chosen();
    if (choice.isList()) {
      PeerChoice.list(chosen, commands, output);
      return ExitCode.OK;
    }
    BenchOutput results = out.open(output, false);
    ImmutableList<Peer> able =
        PeerChoice.able(chosen, commands, peer -> !cases(List.of(peer)).isEmpty(), this::say);
    ImmutableList<HarmCase> cases = cases(able);
    double seconds = secondsOfACase();
    cases.forEach(one -> results.progress().expect(seconds));
    try (RunGuard guard = RunGuard.in(directory);
        HarmRun run =
            new HarmRun(
                commands,
                guard,
                PeerRun.Patience.standard(),
                nanos(chosenSeconds("--warm-up", warmUp, 10, 3, 0)),
                OtherLoad.ofThisMachine(),
                results.progress())) {
      return measure(run, guard, cases, results);
    } catch (IOException e) {
      throw new CommandException(
          "The measurement broke off, run it again: %s.".formatted(e.getMessage()), e);
    }
  }

  private int measure(HarmRun run, RunGuard guard, List<HarmCase> cases, BenchOutput results)
      throws IOException, InterruptedException {
    MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());
    results.text(machine.text());
    results.text("");
    results.text(HarmTable.heading());
    boolean allGood = true;
    double disturbance = 0;
    long brokenHere = 0;
    Set<String> own = new TreeSet<>();
    for (HarmCase one : cases) {
      results.progress().begin(title(one), secondsOfACase());
      HarmRun.Outcome outcome = run.run(one, plan(one.harm()));
      if (guard.isInterrupted()) {
        return ExitCode.FAILED; // The process ends anyway.
      }
      HarmFigures figures = outcome.figures();
      Double others =
          outcome.otherCpuShare().isPresent()
              ? (Double) RowFields.thousandths(outcome.otherCpuShare().getAsDouble())
              : null;
      disturbance = Math.max(disturbance, others == null ? 0 : others);
      var fields =
          HarmTable.fields(one, outcome.version(), figures, outcome.failure(), others, machine);
      if (figures == null) {
        allGood = false;
        results.row(fields, HarmTable.failure(one, String.valueOf(outcome.failure())));
        continue;
      }
      results.row(fields, HarmTable.line(one, figures), figures.timeline());
      if (one.peer().isOwn()) {
        own.add(one.peer().name());
        brokenHere += figures.record().violations() + figures.record().hung();
      }
    }
    results.text(HarmTable.legend());
    if (disturbance > OtherLoad.WARNING_SHARE) {
      say(
          "warning: other processes took up to %.0f %% of the machine: measure again when it is quiet"
              .formatted(disturbance * 100));
    }
    if (!own.isEmpty()) {
      results.verdict(
          "Testudo breaks no promise, and lets no caller hang, whatever one server does",
          brokenHere == 0,
          "%d times, of %s".formatted(brokenHere, String.join(", ", own)));
    }
    results.finish();
    return allGood && brokenHere == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private static String title(HarmCase one) {
    return "%s, %s, %s"
        .formatted(one.peer().name(), PeerWork.word(one.work().kind()), PeerWork.word(one.harm()));
  }

  private ImmutableList<HarmCase> cases(List<Peer> peers) {
    return HarmCases.of(peers, harms, subjects, callers, lie);
  }

  private void checkOptions() {
    if (callers < 1 || callers > MOST_CALLERS) {
      throw new CommandException("--callers must be from 1 to %d.".formatted(MOST_CALLERS));
    }
    if (ByzantineKind.ofFlag(lie).isEmpty()) {
      throw new CommandException(
          "--lie: there is no kind %s: choose from %s."
              .formatted(
                  lie,
                  Arrays.stream(ByzantineKind.values())
                      .map(ByzantineKind::flag)
                      .collect(Collectors.joining(", "))));
    }
    HarmPlan unused = plan(ServerHarm.KILL);
    double unusedSeconds = chosenSeconds("--warm-up", warmUp, 10, 3, 0);
  }

  private HarmPlan plan(ServerHarm harm) {
    return new HarmPlan(
        harm,
        slices("--before", before, 5, 2),
        slices("--during", during, 10, 3),
        slices("--after", after, 15, 4),
        nanos(SLICE_SECONDS));
  }

  private double secondsOfACase() {
    return plan(ServerHarm.KILL).nanos() / (double) TimeUnit.SECONDS.toNanos(1)
        + chosenSeconds("--warm-up", warmUp, 10, 3, 0);
  }

  private int slices(String name, @Nullable Double seconds, double usual, double usualQuick) {
    return (int)
        Math.rint(chosenSeconds(name, seconds, usual, usualQuick, SLICE_SECONDS) / SLICE_SECONDS);
  }

  private double chosenSeconds(
      String name, @Nullable Double seconds, double usual, double usualQuick, double least) {
    double chosen = seconds != null ? seconds : quick ? usualQuick : usual;
    if (!(chosen >= least && chosen <= LONGEST_SECONDS)) {
      throw new CommandException(
          "%s must be from %s to %.0f.".formatted(name, least, LONGEST_SECONDS));
    }
    return chosen;
  }

  private static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  private void say(String what) {
    command.commandLine().getErr().println("testudo: " + what);
  }
}
