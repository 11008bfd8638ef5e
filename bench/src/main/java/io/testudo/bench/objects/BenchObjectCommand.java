package io.testudo.bench.objects;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.cluster.JournalKind;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.bench.report.PlanOptions;
import io.testudo.crypto.SealScheme;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.node.commands.SealSchemes;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.QuorumConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testudo bench object}: increments of a replicated counter. */
@Command(
    name = "object",
    description = {
      "Measure increments of a replicated counter, beside the bare round trip to a quorum of as"
          + " many servers.",
      "Each client starts the next increment when the last has ended. Servers run in another"
          + " process, connections are authenticated (docs/bench.md).",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench object --quick",
      "  testudo bench object --json",
      "  testudo bench object --quick --out object",
      "  testudo bench object --mode sealed-statements --clients 64 --journal nosync,sync",
      "  testudo bench object --mode sealed-statements --clients 8 --journal off --state 1048576",
      "  testudo bench object --soak 1000000 --mode sealed-statements --sharing shared --journal"
          + " sync",
    })
public final class BenchObjectCommand implements Subcommand {
  static final long MAX_SOAK = 1_000_000_000_000L;

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "N",
      description =
          "Sizes of the cluster; the least that tolerates a liar in each mode if left out.")
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
      defaultValue = "sealed-statements,sealed-ranks,plain",
      description = "What clients seal (${DEFAULT-VALUE}).")
  private List<String> modes = new ArrayList<>();

  @Option(
      names = "--seals",
      split = ",",
      paramLabel = "KIND",
      defaultValue = "hmac",
      converter = SealSchemes.class,
      description =
          "With what they seal: hmac, by a key that all share, or ed25519, each by its own"
              + " (${DEFAULT-VALUE}).")
  private List<SealScheme> seals = new ArrayList<>();

  @Option(
      names = "--journal",
      split = ",",
      paramLabel = "KIND",
      defaultValue = "off,sync",
      description =
          "off: servers keep all in memory; nosync: in files that survive their process; sync: in"
              + " files that survive the loss of power (${DEFAULT-VALUE}).")
  private List<JournalKind> journals = new ArrayList<>();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where journals are made; if left out, where the system keeps temporary files.")
  private @Nullable Path directory;

  @Option(
      names = "--state",
      paramLabel = "BYTES",
      defaultValue = "0",
      description =
          "So many bytes in the object beside its count; each increment changes eight of them"
              + " (${DEFAULT-VALUE}).")
  private int stateBytes;

  @Option(
      names = "--sharing",
      split = ",",
      paramLabel = "HOW",
      defaultValue = "shared,separate",
      description =
          "shared: all clients are one session with one connection to each server; separate: each"
              + " client is a session of its own, with its own connections (${DEFAULT-VALUE}).")
  private List<Connections> sharings = new ArrayList<>();

  @Option(
      names = "--soak",
      paramLabel = "N",
      description =
          "Instead of figures: N operations by the largest number of clients, and now and then how"
              + " much memory and disk is in use.")
  private @Nullable Long soak;

  @Mixin private PlanOptions planOptions = new PlanOptions();

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  @Spec private CommandSpec command;

  /** For picocli. */
  public BenchObjectCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Plan plan = planOptions.plan();
    PlanOptions.checkClients(clients);
    if (stateBytes < 0 || stateBytes > PaddedCounter.MAX_PADDING_BYTES) {
      throw new CommandException(
          "--state must be from 0 to %d.".formatted(PaddedCounter.MAX_PADDING_BYTES));
    }
    if (soak != null && (soak < 1 || soak > MAX_SOAK)) {
      throw new CommandException("--soak must be from 1 to %d.".formatted(MAX_SOAK));
    }
    if (directory != null && !Files.isDirectory(directory)) {
      throw new CommandException("--directory: there is no directory %s.".formatted(directory));
    }
    ImmutableList<Mode> chosen =
        modes.stream().map(BenchObjectCommand::mode).collect(ImmutableList.toImmutableList());
    List<ImmutableList<ObjectSetup>> groups = groups(chosen);
    BenchOutput results = out.open(output, false);
    try {
      if (soak == null) {
        measure(plan, groups, results);
      } else {
        soak(soak, groups, results);
      }
      results.verdict(
          "the counter has counted every increment that was answered, once",
          true,
          "checked at every answer and at the end; the run would have failed");
      results.finish();
      return ExitCode.OK;
    } catch (IOException | MeasurementException e) {
      throw PlanOptions.brokeOff(e);
    }
  }

  private void measure(Plan plan, List<ImmutableList<ObjectSetup>> groups, BenchOutput results)
      throws IOException, InterruptedException {
    ObjectRun run = new ObjectRun(plan, directory, results, command.commandLine().getErr());
    run.heading();
    groups.forEach(group -> results.progress().expect(group.size() * clients.size()));
    for (ImmutableList<ObjectSetup> group : groups) {
      ObjectSetup first = group.get(0);
      run.measure(first.thresholds().servers(), first.sharing(), group, clients);
    }
  }

  private void soak(long operations, List<ImmutableList<ObjectSetup>> groups, BenchOutput results)
      throws IOException, InterruptedException {
    SoakRun run = new SoakRun(operations, directory, results);
    run.heading();
    groups.forEach(group -> results.progress().expect(group.size()));
    for (ImmutableList<ObjectSetup> group : groups) {
      for (ObjectSetup setup : group) {
        run.soak(setup, Collections.max(clients));
      }
    }
  }

  private static Mode mode(String word) {
    return Arrays.stream(Mode.values())
        .filter(mode -> mode.need().modeName().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandException(
                    "There is no mode %s: choose sealed-statements, sealed-ranks or plain."
                        .formatted(word)));
  }

  /** Those that are measured in turn: of as many servers, sharing in the same way. */
  private List<ImmutableList<ObjectSetup>> groups(List<Mode> chosen) {
    TreeMap<Integer, List<Mode>> modesOf = new TreeMap<>();
    for (Mode mode : chosen) {
      List<Integer> counts = servers.isEmpty() ? List.of(mode.need().leastServers(1)) : servers;
      counts.forEach(count -> modesOf.computeIfAbsent(count, any -> new ArrayList<>()).add(mode));
    }
    List<ImmutableList<ObjectSetup>> groups = new ArrayList<>();
    modesOf.forEach(
        (count, with) -> {
          List<Mode> bearing = with.stream().filter(mode -> mostFaults(mode, count) > 0).toList();
          if (bearing.isEmpty()) {
            throw new CommandException(
                "%d servers tolerate no liar in mode %s: take at least %d."
                    .formatted(
                        count, with.get(0).need().modeName(), with.get(0).need().leastServers(1)));
          }
          sharings.forEach(sharing -> groups.add(setups(count, sharing, bearing)));
        });
    return groups;
  }

  private static int mostFaults(Mode mode, int count) {
    try {
      return mode.need().mostFaults(count);
    } catch (QuorumConfigurationException e) {
      throw new CommandException(e.getMessage() + ".", e);
    }
  }

  private ImmutableList<ObjectSetup> setups(int count, Connections sharing, List<Mode> with) {
    ImmutableList.Builder<ObjectSetup> setups = ImmutableList.builder();
    for (Mode mode : with) {
      List<SealScheme> kinds = mode == Mode.PLAIN ? seals.subList(0, 1) : seals;
      for (SealScheme kind : kinds) {
        for (JournalKind journal : journals) {
          setups.add(
              new ObjectSetup(
                  mode,
                  mode.need().thresholds(count, mostFaults(mode, count)),
                  kind,
                  journal,
                  stateBytes,
                  sharing));
        }
      }
    }
    return setups.build();
  }
}
