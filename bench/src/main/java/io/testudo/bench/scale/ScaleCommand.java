package io.testudo.bench.scale;

import io.testudo.bench.report.BenchOutput;
import io.testudo.bench.report.OutOption;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumConfigurationException;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.Thresholds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code testudo bench scale}: load and response against the number of servers. */
@Command(
    name = "scale",
    description = {
      "The load of the busiest server and the response, in virtual time, for more and more"
          + " servers,",
      "when clients ask all servers, and when they ask one quorum first (docs/quorums.md).",
      "The figures are the same on every machine.",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench scale --quick",
      "  testudo bench scale --servers 16,64 --json",
      "  testudo bench scale --out scale",
    })
public final class ScaleCommand implements Subcommand {
  private static final int OPERATIONS = 4_000;
  private static final int QUICK_OPERATIONS = 800;
  private static final List<Integer> QUICK_SERVERS = List.of(4, 16, 64);

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "N",
      description = "How many servers (4,7,10,16,25,36,49,64; with --quick 4,16,64).")
  private List<Integer> servers = new ArrayList<>();

  @Option(
      names = "--byzantine",
      paramLabel = "B",
      defaultValue = "1",
      description = "Liars that the cluster is made for (${DEFAULT-VALUE}).")
  private int byzantine;

  @Option(names = "--quick", description = "Fewer servers and operations: a look.")
  private boolean quick;

  @Mixin private Output output = new Output();

  @Mixin private OutOption out = new OutOption();

  /** For picocli. */
  public ScaleCommand() {}

  @Override
  public Integer call() {
    List<Integer> counts =
        !servers.isEmpty()
            ? servers
            : quick ? QUICK_SERVERS : List.of(4, 7, 10, 16, 25, 36, 49, 64);
    BenchOutput results = out.open(output, true);
    results.text(ScaleFigures.heading());
    int subjects = ScaleCase.Subject.values().length;
    counts.forEach(count -> results.progress().expect(2.0 * subjects * count));
    for (ScaleCase.Subject subject : ScaleCase.Subject.values()) {
      for (int count : counts) {
        for (boolean isSilent : List.of(false, true)) {
          results
              .progress()
              .begin(
                  "%s, %d servers%s"
                      .formatted(subject.word(), count, isSilent ? ", one silent" : ""),
                  count);
          measure(
              new ScaleCase(subject, count, byzantine, QuorumKind.STANDARD, Access.ALL, isSilent),
              results);
        }
      }
    }
    results.finish();
    return ExitCode.OK;
  }

  private void measure(ScaleCase ofAll, BenchOutput results) {
    @Nullable ScaleFigures all = null;
    for (ScaleCase setup : ScaleRun.ways(ofAll)) {
      try {
        Thresholds unused = ScaleRun.thresholds(setup);
      } catch (QuorumConfigurationException e) {
        if (setup.access() == Access.ALL) {
          throw new CommandException(e.getMessage() + ".", e);
        }
        continue; // No square, or too small a one.
      }
      ScaleFigures figures = ScaleRun.run(setup, quick ? QUICK_OPERATIONS : OPERATIONS);
      results.row(figures.fields(all).toMap(), figures.line(all));
      all = all == null ? figures : all;
    }
  }
}
