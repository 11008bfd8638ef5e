package io.testudo.bench.comparing;

import io.testudo.bench.comparing.Comparison.Compared;
import io.testudo.bench.comparing.NoiseRule.Difference;
import io.testudo.bench.comparing.NoiseRule.Verdict;
import io.testudo.bench.plot.Numbers;
import io.testudo.bench.report.RowFields;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.MetricKind;
import io.testudo.bench.results.ResultCase;
import io.testudo.node.CommandException;
import io.testudo.node.ExitCode;
import io.testudo.node.Output;
import io.testudo.node.Subcommand;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code testudo bench compare}: two runs beside each other. */
@Command(
    name = "compare",
    description = {
      "Show what differs between two runs, with the noise of each figure.",
      "Exit code 1 if a figure got worse by more than its noise. Figures of virtual time may not"
          + " get worse at all; of real time, ratios within a run are judged where there are some"
          + " (docs/bench-results.md).",
    },
    footer = {
      "",
      "Examples:",
      "  testudo bench compare before after",
      "  testudo bench compare --least 5 before after --json",
    })
public final class CompareCommand implements Subcommand {
  private static final String LINE = "%-8s %12s %12s %9s %9s  %s";
  private static final double PERCENT = 100;

  @Parameters(index = "0", paramLabel = "BEFORE", description = "The folder of the first run.")
  private Path before;

  @Parameters(index = "1", paramLabel = "AFTER", description = "The folder of the second run.")
  private Path after;

  @Option(
      names = "--least",
      paramLabel = "PERCENT",
      defaultValue = "10",
      description =
          "Changes of real times and rates up to this are noise, however steady"
              + " (${DEFAULT-VALUE}).")
  private double leastPercent;

  @Option(
      names = "--tolerance",
      paramLabel = "PERCENT",
      defaultValue = "0.5",
      description = "Changes of figures in virtual time up to this are none (${DEFAULT-VALUE}).")
  private double tolerancePercent;

  @Option(names = "--all", description = "Show what stayed the same, too.")
  private boolean all;

  @Mixin private Output output = new Output();

  /** For picocli. */
  public CompareCommand() {}

  @Override
  public Integer call() {
    check("--least", leastPercent);
    check("--tolerance", tolerancePercent);
    BenchResults first = StoredResults.read(before);
    BenchResults second = StoredResults.read(after);
    Comparison comparison =
        Comparison.of(
            first, second, new NoiseRule(leastPercent / PERCENT, tolerancePercent / PERCENT));
    if (comparison.compared().isEmpty()) {
      throw new CommandException(
          "%s and %s have no case in common: compare runs of the same command and options."
              .formatted(before, after));
    }
    output.text(LINE.formatted("verdict", "before", "after", "change", "noise", "figure"));
    for (Compared one : comparison.compared()) {
      boolean isShown =
          switch (one.difference().verdict()) {
            case BETTER, WORSE, CHANGED -> true;
            case SAME, SHOWN, UNKNOWN -> all;
          };
      if (isShown || output.isJson()) {
        output.row(fields(one), line(one));
      }
    }
    comparison.onlyBefore().forEach(one -> only("before", one));
    comparison.onlyAfter().forEach(one -> only("after", one));
    output.text(summary(comparison));
    return comparison.count(Verdict.WORSE) == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private static void check(String option, double percent) {
    if (!(percent >= 0 && percent <= PERCENT * PERCENT)) {
      throw new CommandException("%s must be from 0 to 10000.".formatted(option));
    }
  }

  private void only(String where, ResultCase one) {
    output.text("only %s: %s".formatted(where, one.title()));
  }

  private static String summary(Comparison comparison) {
    return String.format(
        Locale.ROOT,
        "%d worse, %d better, %d changed, %d the same within noise, %d judged by their ratio, %d"
            + " with too few rounds; %d cases only before, %d only after",
        comparison.count(Verdict.WORSE),
        comparison.count(Verdict.BETTER),
        comparison.count(Verdict.CHANGED),
        comparison.count(Verdict.SAME),
        comparison.count(Verdict.SHOWN),
        comparison.count(Verdict.UNKNOWN),
        comparison.onlyBefore().size(),
        comparison.onlyAfter().size());
  }

  private static Object fields(Compared one) {
    Difference difference = one.difference();
    return new RowFields()
        .with("bench", one.of().bench())
        .with("case", one.of().name())
        .with("keys", one.of().keys())
        .with("figure", difference.before().name())
        .with("before", difference.before().value())
        .with("after", difference.after().value())
        .with("change", RowFields.thousandths(difference.change()))
        .with("noise", RowFields.thousandths(difference.noise()))
        .with("verdict", difference.verdict().name().toLowerCase(Locale.ROOT))
        .toMap();
  }

  private static String line(Compared one) {
    Difference difference = one.difference();
    return LINE.formatted(
        difference.verdict().name().toLowerCase(Locale.ROOT),
        Numbers.full(difference.before().value()),
        Numbers.full(difference.after().value()),
        (difference.change() > 0 ? "+" : "") + percent(difference.change()),
        percent(difference.noise()),
        MetricKind.labelWithUnit(difference.before().name()) + ": " + one.of().title());
  }

  private static String percent(double share) {
    return Math.abs(share) > PERCENT
        ? "x100 or more"
        : String.format(Locale.ROOT, "%.1f %%", share * PERCENT);
  }
}
