package io.testudo.bench.peers;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.driver.PeerWork;
import io.testudo.bench.driver.PeerWork.Sharing;
import io.testudo.bench.driver.PeerWork.Use;
import io.testudo.bench.floor.EventLoops;
import io.testudo.bench.measure.BenchClock;
import io.testudo.bench.measure.MachineFacts;
import io.testudo.bench.measure.OtherLoad;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.peers.PeerColumn.Cell;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.bench.report.PlanOptions;
import io.testudo.bench.report.Rounds;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testudo bench peers}: the same work for Testudo and for others. */
@Command(
    name = "peers",
    description = {
      "Measure Testudo beside systems that people use today, all on this machine in one run.",
      "Each does the same: lock pairs by one caller, by 2, 8 and 32 at one lock, by 32 at 32 locks;"
          + " increments of one object by 1, 8, 32 and 64. By calls that block and, where there"
          + " are such, by futures; with one client object for all, and with one for each caller."
          + " Servers are processes of their own (docs/bench.md).",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all was measured, but for what was left out by name",
      "1:a system failed, or nothing could be measured"
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench peers --list",
      "  testudo bench peers --quick",
      "  testudo bench peers --only testudo,zookeeper,etcd --case uncontended --json",
      "  testudo bench peers --only testudo-memory,redis --use async --sharing separate",
    })
public final class PeersCommand implements Subcommand {
  /** A quick run warms systems up as long as it keeps within this. */
  private static final long QUICK_NANOS = TimeUnit.MINUTES.toNanos(9);

  /** Of the time to warm up: servers are warm by then, and only what separate clients do is new. */
  private static final double FIRST_PART = 0.6;

  @Mixin private PeerChoice choice = new PeerChoice();

  @Option(
      names = "--case",
      split = ",",
      paramLabel = "CASE",
      defaultValue = "uncontended,contended,parallel,increment",
      description = "What to measure (${DEFAULT-VALUE}).")
  private List<PeerCases.Case> cases = new ArrayList<>();

  @Option(
      names = "--use",
      split = ",",
      paramLabel = "USE",
      defaultValue = "blocking,async",
      description = "blocking: a thread for each caller; async: futures (${DEFAULT-VALUE}).")
  private List<Use> uses = new ArrayList<>();

  @Option(
      names = "--sharing",
      split = ",",
      paramLabel = "HOW",
      defaultValue = "shared,separate",
      description =
          "shared: all callers use one client object; separate: each has its own"
              + " (${DEFAULT-VALUE}).")
  private List<Sharing> sharings = new ArrayList<>();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where servers keep their files meanwhile; else where temporary files are.")
  private @Nullable Path directory;

  @Mixin private PlanOptions planOptions = new PlanOptions();

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  @Spec private CommandSpec command;

  /** For picocli. */
  public PeersCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Plan plan = planOptions.plan();
    DriverCommands commands = DriverCommands.ofThisProcess(planOptions.isQuick());
    ImmutableList<Peer> chosen = choice.chosen();
    if (choice.isList()) {
      PeerChoice.list(chosen, commands, output);
      return ExitCode.OK;
    }
    ImmutableList<PeerWork> columns = PeerCases.columns(cases, uses, sharings);
    BenchOutput results = out.open(output, false);
    ImmutableList<Peer> able =
        PeerChoice.able(
            chosen,
            commands,
            peer -> columns.stream().anyMatch(peer::can),
            trouble -> say(results.progress(), trouble));
    TerminalProgress progress = results.progress();
    try (RunGuard guard = RunGuard.in(directory)) {
      PeerRun run =
          new PeerRun(
              plan,
              PeerRun.Patience.standard(),
              guard,
              OtherLoad.ofThisMachine(),
              new Remaining(BenchClock.system(), PeerRun.dutyNanos(plan, able, columns)),
              planOptions.isQuick()
                  ? new TimeBudget(
                      BenchClock.system(), QUICK_NANOS, PeerRun.dutyNanos(plan, able, columns))
                  : TimeBudget.unlimited(),
              progress,
              trouble -> say(progress, trouble));
      return measure(run, plan, able, commands, columns, results);
    } catch (IOException e) {
      throw new CommandException(
          "The measurement broke off, run it again: %s.".formatted(e.getMessage()), e);
    }
  }

  private int measure(
      PeerRun run,
      Plan plan,
      List<Peer> peers,
      DriverCommands commands,
      List<PeerWork> columns,
      BenchOutput results)
      throws IOException, InterruptedException {
    MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());
    Map<Peer, ImmutableList<String>> lines = new LinkedHashMap<>();
    peers.forEach(peer -> lines.put(peer, commands.command(peer)));
    Map<Peer, String> versions = run.start(lines);
    results.text(machine.text());
    versions.forEach((peer, version) -> results.text(PeerTable.legend(peer, version)));
    if (planOptions.isQuick()) {
      results.text("");
      results.text(
          "A quick run: all Java here has its first compiler only, and is warm after seconds.");
    }
    results.text("");
    results.text(PeerTable.heading());
    boolean allGood = versions.size() == peers.size();
    double disturbance = 0;
    List<PeerColumn> measured = new ArrayList<>();
    boolean isFirst = true;
    for (List<PeerWork> part : bySharing(columns)) {
      run.warmUp(part, isFirst && part.size() < columns.size() ? FIRST_PART : 1);
      isFirst = false;
      for (PeerWork work : part) {
        PeerColumn column = run.measure(work);
        for (Cell cell : column.cells()) {
          results.row(
              PeerTable.fields(column, cell, plan, machine),
              PeerTable.line(column, cell),
              cell.result() == null ? Rounds.none() : Rounds.of(cell.result()));
          allGood &= cell.failure() == null;
          if (cell.result() != null) {
            disturbance = Math.max(disturbance, cell.result().otherCpuShare().orElse(0));
          }
        }
        measured.add(column);
      }
    }
    if (disturbance > OtherLoad.WARNING_SHARE) {
      say(
          results.progress(),
          "warning: other processes took up to %.0f %% of the machine: measure again when it is quiet"
              .formatted(disturbance * 100));
    }
    results.text("");
    results.text(PeerTable.standingsHeading());
    measured.stream()
        .flatMap(column -> PeerTable.standings(column).stream())
        .forEach(results::text);
    results.finish();
    return allGood && run.running() > 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** What one client object does, and what separate ones do, which come later. */
  private static Collection<List<PeerWork>> bySharing(List<PeerWork> columns) {
    Map<Sharing, List<PeerWork>> parts = new EnumMap<>(Sharing.class);
    columns.forEach(it -> parts.computeIfAbsent(it.sharing(), any -> new ArrayList<>()).add(it));
    return parts.values();
  }

  private void say(TerminalProgress progress, String what) {
    progress.close();
    command.commandLine().getErr().println("testudo: " + what);
  }
}
