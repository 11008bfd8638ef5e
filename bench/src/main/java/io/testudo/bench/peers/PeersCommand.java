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
import io.testudo.bench.report.PlanOptions;
import io.testudo.bench.report.RowFields;
import io.testudo.bench.report.TerminalProgress;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Measure only these systems; --list names all.")
  private List<String> only = new ArrayList<>();

  @Option(names = "--list", description = "Say which systems there are, and which can be measured.")
  private boolean list;

  @Option(
      names = "--bft-smart",
      paramLabel = "DIR",
      description =
          "Measure BFT-SMaRt, too, of which this is a build (build/install/library of its tree).")
  private @Nullable Path bftSmart;

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

  @Spec private CommandSpec command;

  /** For picocli. */
  public PeersCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Plan plan = planOptions.plan();
    DriverCommands commands = DriverCommands.ofThisProcess();
    ImmutableList<Peer> chosen = chosen();
    if (list) {
      list(chosen, commands);
      return ExitCode.OK;
    }
    ImmutableList<PeerWork> columns = PeerCases.columns(cases, uses, sharings);
    ImmutableList<Peer> able = able(chosen, commands, columns);
    try (RunGuard guard = RunGuard.in(directory);
        TerminalProgress progress = TerminalProgress.onTerminal("")) {
      PeerRun run =
          new PeerRun(
              plan,
              PeerRun.Patience.standard(),
              guard,
              OtherLoad.ofThisMachine(),
              new Remaining(BenchClock.system(), PeerRun.plannedNanos(plan, able, columns)),
              progress,
              trouble -> say(progress, trouble));
      return measure(run, plan, able, commands, columns, progress);
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
      TerminalProgress progress)
      throws IOException, InterruptedException {
    MachineFacts machine = MachineFacts.ofThisMachine(EventLoops.transport());
    Map<Peer, ImmutableList<String>> lines = new LinkedHashMap<>();
    peers.forEach(peer -> lines.put(peer, commands.command(peer)));
    Map<Peer, String> versions = run.start(lines);
    progress.close();
    output.text(machine.text());
    versions.forEach((peer, version) -> output.text(PeerTable.legend(peer, version)));
    output.text("");
    output.text(PeerTable.heading());
    boolean allGood = versions.size() == peers.size();
    double disturbance = 0;
    List<PeerColumn> measured = new ArrayList<>();
    Sharing warmFor = null;
    for (PeerWork work : columns) {
      if (work.sharing() != warmFor) {
        warmFor = work.sharing();
        run.warmUp(columns.stream().filter(it -> it.sharing() == work.sharing()).toList());
      }
      PeerColumn column = run.measure(work);
      progress.close();
      for (Cell cell : column.cells()) {
        output.row(PeerTable.fields(column, cell, plan, machine), PeerTable.line(column, cell));
        allGood &= cell.failure() == null;
        if (cell.result() != null) {
          disturbance = Math.max(disturbance, cell.result().otherCpuShare().orElse(0));
        }
      }
      measured.add(column);
    }
    if (disturbance > OtherLoad.WARNING_SHARE) {
      say(
          progress,
          "warning: other processes took up to %.0f %% of the machine: measure again when it is quiet"
              .formatted(disturbance * 100));
    }
    output.text("");
    output.text(PeerTable.standingsHeading());
    measured.stream().flatMap(column -> PeerTable.standings(column).stream()).forEach(output::text);
    return allGood && run.running() > 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private ImmutableList<Peer> chosen() {
    ImmutableList.Builder<Peer> builder = ImmutableList.builder();
    builder.addAll(Peers.STANDARD);
    if (bftSmart != null) {
      for (String part : List.of("lib", "config")) {
        if (!Files.isDirectory(bftSmart.resolve(part))) {
          throw new CommandException(
              "--bft-smart: %s has no directory %s: name what './gradlew installDist' of BFT-SMaRt makes, build/install/library."
                  .formatted(bftSmart, part));
        }
      }
      builder.add(Peers.bftSmart(bftSmart.toAbsolutePath()));
    }
    ImmutableList<Peer> all = builder.build();
    for (String name : only) {
      if (Peers.named(all, name) == null) {
        throw new CommandException(
            "There is no system %s: choose from %s."
                .formatted(name, all.stream().map(Peer::name).collect(Collectors.joining(", "))));
      }
    }
    return all.stream()
        .filter(peer -> only.isEmpty() || only.contains(peer.name()))
        .collect(ImmutableList.toImmutableList());
  }

  /** Those that can be measured here; the others are left out by name. */
  private ImmutableList<Peer> able(
      List<Peer> chosen, DriverCommands commands, List<PeerWork> columns) {
    ImmutableList.Builder<Peer> able = ImmutableList.builder();
    for (Peer peer : chosen) {
      String obstacle = commands.obstacle(peer);
      if (obstacle != null) {
        say(null, "%s is left out: %s".formatted(peer.name(), obstacle));
      } else if (columns.stream().anyMatch(peer::can)) {
        able.add(peer);
      }
    }
    ImmutableList<Peer> all = able.build();
    if (all.isEmpty()) {
      throw new CommandException(
          "None of the systems that were asked for can be measured: see --list.");
    }
    return all;
  }

  private void list(List<Peer> peers, DriverCommands commands) {
    for (Peer peer : peers) {
      String obstacle = commands.obstacle(peer);
      output.row(
          new RowFields()
              .with("system", peer.name())
              .with("title", peer.title())
              .with("servers", peer.servers())
              .with("durability", peer.durability().word())
              .with("replication", peer.replication())
              .with("faults", peer.faults())
              .with("obstacle", obstacle)
              .toMap(),
          obstacle == null
              ? PeerTable.legend(peer, "").replace(" :", "")
              : "%-15s cannot be measured: %s".formatted(peer.name(), obstacle));
    }
  }

  private void say(@Nullable TerminalProgress progress, String what) {
    if (progress != null) {
      progress.close();
    }
    command.commandLine().getErr().println("testudo: " + what);
  }
}
