package io.testudo.bench.regions;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.registry.LockProtocols;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Need;
import io.testudo.quorum.QuorumConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo bench wide-area}: locks and objects between regions of the world. */
@Command(
    name = "wide-area",
    description = {
      "Response, messages and bytes of locks and objects between regions of a cloud, in virtual"
          + " time, with thousands of clients all over the world.",
      "Round trips are those that a provider has published (docs/bench.md says which). The figures"
          + " are the same on every machine.",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench wide-area --quick",
      "  testudo bench wide-area --placement world --clients 10000 --sharers 1 --json",
      "  testudo bench wide-area --regions tokyo,osaka,sydney,dallas --clients 1100",
      "  testudo bench wide-area --out wide-area",
    })
public final class WideAreaCommand implements Subcommand {
  private static final int MOST_CLIENTS = 100_000;
  private static final int TURNS = 4;
  private static final int QUICK_TURNS = 2;

  /** So much longer than the longest way a message may take counts as usual. */
  private static final double DELAY_SLACK = 1.25;

  private static final String CUSTOM = "custom";

  @Option(
      names = "--placement",
      split = ",",
      paramLabel = "NAME",
      description = "Where servers are: america, atlantic, world (all; with --quick world).")
  private List<String> placements = new ArrayList<>();

  @Option(
      names = "--regions",
      split = ",",
      paramLabel = "REGION",
      description =
          "Where servers are, in the place of --placement: dallas, toronto, washington, frankfurt,"
              + " london, madrid, montreal, osaka, sydney, tokyo, sao-paulo.")
  private List<String> regions = new ArrayList<>();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      description = "How many clients, in all regions (110,1100,5500; with --quick 110,1100).")
  private List<Integer> clients = new ArrayList<>();

  @Option(
      names = "--sharers",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,11",
      description =
          "How many clients use one lock or object; they are in as many regions (${DEFAULT-VALUE}).")
  private List<Integer> sharers = new ArrayList<>();

  @Option(
      names = "--byzantine",
      paramLabel = "B",
      defaultValue = "1",
      description =
          "Servers that may lie, or forget where a protocol is made for that; there are as many"
              + " servers as that needs (${DEFAULT-VALUE}).")
  private int byzantine;

  @Option(names = "--quick", description = "Fewer clients and placements: a look.")
  private boolean quick;

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  /** For picocli. */
  public WideAreaCommand() {}

  @Override
  public Integer call() {
    RegionMatrix matrix = RegionMatrix.standard();
    ImmutableList<RegionCase> cases = cases(matrix);
    BenchOutput results = out.open(output, true);
    cases.forEach(one -> results.progress().expect(weight(one)));
    results.text(RegionFigures.heading());
    for (RegionCase one : cases) {
      results.progress().begin(one.toString(), weight(one));
      RegionFigures figures = RegionRun.run(one, matrix, quick ? QUICK_TURNS : TURNS);
      results.row(figures.fields(), figures.line());
    }
    results.text("");
    results.text(
        ":quorum is the median of waits, each to one round trip from its client to the nearest"
            + " quorum.");
    results.finish();
    return ExitCode.OK;
  }

  private static double weight(RegionCase one) {
    return (double) one.clients() * one.thresholds().servers();
  }

  private ImmutableList<RegionCase> cases(RegionMatrix matrix) {
    List<Integer> counts =
        !clients.isEmpty() ? clients : quick ? List.of(110, 1_100) : List.of(110, 1_100, 5_500);
    for (int count : counts) {
      if (count < 1 || count > MOST_CLIENTS) {
        throw new CommandException("--clients must be from 1 to %,d.".formatted(MOST_CLIENTS));
      }
    }
    int least = counts.stream().mapToInt(Integer::intValue).min().orElseThrow();
    for (int count : sharers) {
      if (count < 1 || count > least) {
        throw new CommandException(
            "--sharers must be from 1 to the number of clients, %d.".formatted(least));
      }
    }
    LockTiming timing =
        LockTiming.standard()
            .withDelay(
                Duration.ofMillis((long) Math.ceil(matrix.longestMillis() / 2 * DELAY_SLACK)));
    ImmutableList.Builder<RegionCase> cases = ImmutableList.builder();
    for (Placement placement : placements(matrix)) {
      for (int shared : sharers) {
        for (int count : counts) {
          for (LockProtocol protocol : LockProtocols.ALL.protocols()) {
            Need need = protocol.needs().get(0);
            cases.add(
                new RegionCase(
                    protocol.withTiming(timing),
                    null,
                    need.thresholds(servers(need), byzantine),
                    placement,
                    count,
                    shared));
          }
          for (Mode mode : Mode.values()) {
            cases.add(
                new RegionCase(
                    null,
                    mode,
                    mode.need().thresholds(servers(mode.need()), byzantine),
                    placement,
                    count,
                    shared));
          }
        }
      }
    }
    return cases.build();
  }

  private int servers(Need need) {
    if (byzantine < 1 || byzantine > 5) {
      throw new CommandException("--byzantine must be from 1 to 5.");
    }
    try {
      return need.leastServers(byzantine);
    } catch (QuorumConfigurationException e) {
      throw new CommandException(e.getMessage() + ".", e);
    }
  }

  private ImmutableList<Placement> placements(RegionMatrix matrix) {
    if (!regions.isEmpty()) {
      if (!placements.isEmpty()) {
        throw new CommandException("Give --placement or --regions, not both.");
      }
      return ImmutableList.of(Placement.of(CUSTOM, regions, matrix));
    }
    ImmutableList<Placement> all = Placement.standard(matrix);
    List<String> chosen =
        !placements.isEmpty() ? placements : quick ? List.of("world") : names(all);
    for (String name : chosen) {
      if (!names(all).contains(name)) {
        throw new CommandException(
            "--placement: there is no %s: choose from %s."
                .formatted(name, names(all).stream().collect(Collectors.joining(", "))));
      }
    }
    return all.stream()
        .filter(one -> chosen.contains(one.name()))
        .collect(ImmutableList.toImmutableList());
  }

  private static List<String> names(List<Placement> all) {
    return all.stream().map(Placement::name).toList();
  }
}
