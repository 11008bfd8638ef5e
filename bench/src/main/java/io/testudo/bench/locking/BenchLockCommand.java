package io.testudo.bench.locking;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.testudo.bench.floor.Connections;
import io.testudo.bench.locking.LockRun.Way;
import io.testudo.bench.measure.MeasurementException;
import io.testudo.bench.measure.Plan;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.bench.report.PlanOptions;
import io.testudo.mutex.backoff.BackoffProtocol;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testudo bench lock}: turns at locks. */
@Command(
    name = "lock",
    description = {
      "Measure turns at a lock, beside the bare round trip to a quorum of as many servers.",
      "A turn is acquire, an empty section, release. Cases: one client alone, clients that contend"
          + " for one lock, and as many clients with a lock each. Servers run in another process,"
          + " connections are authenticated, ranks are sealed (docs/bench.md).",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench lock --quick",
      "  testudo bench lock --servers 4,6 --json",
      "  testudo bench lock --backend backoff,sigma --servers 4 --use async",
      "  testudo bench lock --servers 6 --mode quorums --use blocking --clients 32",
      "  testudo bench lock --quick --out lock",
    })
public final class BenchLockCommand implements Subcommand {
  /** More clients with a lock each would only measure the machine. */
  private static final int MOST_PARALLEL = 32;

  /** The kinds of cases. */
  enum Kind {
    UNCONTENDED,
    CONTENDED,
    PARALLEL
  }

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "N",
      defaultValue = "4,6",
      description = "Sizes of the cluster (${DEFAULT-VALUE}).")
  private List<Integer> servers = new ArrayList<>();

  @Option(
      names = "--case",
      split = ",",
      paramLabel = "CASE",
      defaultValue = "uncontended,contended,parallel",
      description = "What to measure (${DEFAULT-VALUE}).")
  private List<Kind> kinds = new ArrayList<>();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      defaultValue = "2,8,32,128",
      description =
          "Numbers of clients that contend for one lock (${DEFAULT-VALUE}); the largest, up to 32,"
              + " also with a lock each.")
  private List<Integer> clients = new ArrayList<>();

  @Option(
      names = "--backend",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "backoff",
      converter = MeasuredLocks.class,
      completionCandidates = MeasuredLocks.class,
      description = "The protocols: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private List<LockProtocol> backends = new ArrayList<>();

  @Option(
      names = "--mode",
      split = ",",
      paramLabel = "MODE",
      description =
          "With backoff, all-servers (n >= 3b+1) or quorums (n >= 5b+1): whom a client asks. Both"
              + " if left out, where the servers are enough to tolerate a liar.")
  private List<String> modes = new ArrayList<>();

  @Option(
      names = "--use",
      split = ",",
      paramLabel = "USE",
      defaultValue = "async,blocking",
      description =
          "async: calls with listeners; blocking: a thread for each client (${DEFAULT-VALUE}).")
  private List<LockUse> uses = new ArrayList<>();

  @Option(
      names = "--connections",
      defaultValue = "shared",
      description =
          "shared: all clients share one connection to each server; separate: each client has its"
              + " own (${DEFAULT-VALUE}).")
  private Connections connections = Connections.SHARED;

  @Mixin private PlanOptions planOptions = new PlanOptions();

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  @Spec private CommandSpec command;

  /** For picocli. */
  public BenchLockCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Plan plan = planOptions.plan();
    checkModes();
    PlanOptions.checkClients(clients);
    List<ImmutableList<Way>> clusters = new ArrayList<>();
    for (int count : servers) {
      clusters.add(ways(count));
    }
    BenchOutput results = out.open(output, false);
    LockRun run =
        new LockRun(
            plan, connections, ImmutableList.copyOf(uses), results, command.commandLine().getErr());
    try {
      run.heading();
      results.progress().expect(servers.size() * cases().size());
      for (int i = 0; i < servers.size(); i++) {
        run.measure(servers.get(i), clusters.get(i), cases());
      }
      results.verdict(
          "never two inside at once, and fencing tokens grow",
          true,
          "checked at every entry; the run would have failed");
      results.finish();
      return ExitCode.OK;
    } catch (IOException | MeasurementException e) {
      throw PlanOptions.brokeOff(e);
    }
  }

  private ImmutableList<LockCase> cases() {
    ImmutableList.Builder<LockCase> cases = ImmutableList.builder();
    if (kinds.contains(Kind.UNCONTENDED)) {
      cases.add(LockCase.uncontended());
    }
    if (kinds.contains(Kind.CONTENDED)) {
      clients.forEach(count -> cases.add(LockCase.contended(count)));
    }
    if (kinds.contains(Kind.PARALLEL)) {
      int most = clients.stream().mapToInt(Integer::intValue).max().orElse(1);
      cases.add(LockCase.parallel(Math.min(most, MOST_PARALLEL)));
    }
    return cases.build();
  }

  /** The modes that were asked for, or all that tolerate a fault. */
  private ImmutableList<Way> ways(int count) {
    ImmutableList.Builder<Way> ways = ImmutableList.builder();
    try {
      for (LockProtocol backend : backends) {
        for (Need need : MeasuredLocks.needs(backend)) {
          int most = need.mostFaults(count);
          boolean isOpen = !hasModes(backend) || modes.isEmpty();
          if (isOpen ? most > 0 : modes.contains(need.modeName())) {
            ways.add(new Way(backend, need.thresholds(count, most)));
          }
        }
      }
    } catch (QuorumConfigurationException e) {
      throw new CommandException(e.getMessage() + ".", e);
    }
    ImmutableList<Way> all = ways.build();
    if (all.isEmpty()) {
      throw new CommandException(
          "%d servers tolerate no liar: take at least %d, or name a --mode."
              .formatted(count, BackoffProtocol.ALL_SERVERS.leastServers(1)));
    }
    return all;
  }

  private static boolean hasModes(LockProtocol backend) {
    return MeasuredLocks.needs(backend).size() > 1;
  }

  private void checkModes() {
    ImmutableSet<String> known =
        MeasuredLocks.ALL.stream()
            .filter(BenchLockCommand::hasModes)
            .flatMap(backend -> MeasuredLocks.needs(backend).stream())
            .map(Need::modeName)
            .collect(ImmutableSet.toImmutableSet());
    for (String mode : modes) {
      if (!known.contains(mode)) {
        throw new CommandException(
            "There is no mode %s: choose %s.".formatted(mode, String.join(" or ", known)));
      }
    }
  }
}
