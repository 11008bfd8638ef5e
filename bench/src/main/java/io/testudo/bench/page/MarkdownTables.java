package io.testudo.bench.page;

import io.testudo.bench.plot.Numbers;
import io.testudo.bench.results.AimVerdict;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.MetricKind;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.RunFacts;
import io.testudo.bench.results.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The tables of the page, to be pasted into a document. */
final class MarkdownTables {
  /** What would be taken for markup, or end a cell. */
  private static final Pattern MARKUP = Pattern.compile("([\\\\`*_{}\\[\\]<>#|])");

  private final StringBuilder text = new StringBuilder();

  private MarkdownTables() {}

  static String of(BenchResults results) {
    MarkdownTables tables = new MarkdownTables();
    tables.text.append("# Testudo bench\n");
    results.runs().forEach(tables::run);
    tables.verdicts(results.verdicts());
    CaseGroup.of(results.cases()).forEach(tables::group);
    return tables.text.toString();
  }

  private void run(RunFacts run) {
    text.append("\n    ").append(oneLine(run.command())).append("\n\n");
    text.append(
        plain(
            "Testudo %s%s on %s; %s, %s s."
                .formatted(
                    run.testudo(),
                    run.commit() == null ? "" : " (" + run.commit() + ")",
                    run.machine(),
                    run.started(),
                    Numbers.full(Math.rint(run.seconds())))));
    if (run.otherCpuShare() != null) {
      text.append(
          " Other processes took at most %.0f %% of the machine."
              .formatted(run.otherCpuShare() * 100));
    }
    text.append('\n');
  }

  private void verdicts(List<AimVerdict> verdicts) {
    if (verdicts.isEmpty()) {
      return;
    }
    text.append("\n| aim | | measured |\n|---|---|---|\n");
    for (AimVerdict verdict : verdicts) {
      row(
          List.of(
              plain(verdict.aim()),
              verdict.reached() ? "reached" : "**missed**",
              plain(verdict.measured())));
    }
  }

  private void group(CaseGroup group) {
    text.append("\n## ").append(plain(group.title())).append("\n\n");
    text.append(plain(group.commonText())).append("\n\n");
    List<String> metrics = group.metrics();
    List<String> heading = new ArrayList<>();
    List<String> rule = new ArrayList<>();
    for (String key : group.columns()) {
      heading.add(plain(Words.of(key)));
      rule.add("---");
    }
    for (String metric : metrics) {
      heading.add(plain(MetricKind.labelWithUnit(metric)));
      rule.add("--:");
    }
    row(heading);
    row(rule);
    for (ResultCase one : group.cases()) {
      List<String> cells = new ArrayList<>();
      group.columns().forEach(key -> cells.add(plain(CaseGroup.value(one, key))));
      metrics.forEach(name -> cells.add(one.metric(name).map(MarkdownTables::cell).orElse("")));
      row(cells);
    }
  }

  private static String cell(Metric metric) {
    return metric.hasSpread()
        ? "%s (%s to %s)"
            .formatted(
                Numbers.full(metric.value()),
                Numbers.full(metric.low()),
                Numbers.full(metric.high()))
        : Numbers.full(metric.value());
  }

  private void row(List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String plain(String said) {
    return MARKUP.matcher(oneLine(said)).replaceAll("\\\\$1");
  }

  private static String oneLine(String said) {
    return said.replaceAll("\\s+", " ");
  }
}
