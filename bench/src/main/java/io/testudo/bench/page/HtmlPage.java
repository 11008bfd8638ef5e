package io.testudo.bench.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import com.google.common.html.HtmlEscapers;
import com.google.common.io.Resources;
import com.google.errorprone.annotations.FormatMethod;
import io.testudo.bench.plot.Chart;
import io.testudo.bench.plot.ChartSvg;
import io.testudo.bench.plot.Numbers;
import io.testudo.bench.results.AimVerdict;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.MetricKind;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.RunFacts;
import io.testudo.bench.results.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One page that needs nothing else. Whatever comes from results is escaped, and a policy lets no
 * script run but the page's own.
 */
final class HtmlPage {
  private static final double DISTURBED = 0.10;

  private final BenchResults results;
  private final ImmutableList<CaseGroup> groups;
  private final StringBuilder page = new StringBuilder();

  private HtmlPage(BenchResults results) {
    this.results = results;
    this.groups = CaseGroup.of(results.cases());
  }

  static String of(BenchResults results) {
    return new HtmlPage(results).text();
  }

  private String text() {
    String script = resource("page.js");
    String policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'"
            .formatted(
                Base64.getEncoder()
                    .encodeToString(Hashing.sha256().hashString(script, UTF_8).asBytes()));
    add(
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="%s">
        <title>%s</title>
        <style>%s</style>
        </head>
        <body>
        <header>
        <h1>Testudo bench</h1>
        <p>%s</p>
        </header>
        <main>
        """,
        policy, title(), resource("page.css"), esc(summary()));
    verdicts();
    runs();
    contents();
    groups.forEach(this::group);
    add(
        """
        </main>
        <footer><p>All figures, with each round, are in <code>results.json</code> beside this page.\
         Figures of two machines do not compare; ratios measured in one run do, within their\
         spread.</p></footer>
        <div id="tip" role="status" aria-live="polite" hidden></div>
        <script>%s</script>
        </body>
        </html>
        """,
        script);
    return page.toString();
  }

  private String title() {
    return esc("Testudo bench: " + benches());
  }

  private String benches() {
    return results.cases().stream()
        .map(ResultCase::bench)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private String summary() {
    long reached = results.verdicts().stream().filter(AimVerdict::reached).count();
    return "%s: %d cases%s"
        .formatted(
            benches(),
            results.cases().size(),
            results.verdicts().isEmpty()
                ? ""
                : ", %d of %d aims reached".formatted(reached, results.verdicts().size()));
  }

  private void verdicts() {
    if (results.verdicts().isEmpty()) {
      return;
    }
    add(
        "<section aria-labelledby=\"verdicts\">\n<h2 id=\"verdicts\">Verdicts</h2>\n<ul class=\"verdicts\">\n");
    for (AimVerdict verdict : results.verdicts()) {
      add(
          "<li class=\"%s\"><strong>%s</strong> <span>%s</span> <small>%s</small></li>%n",
          verdict.reached() ? "reached" : "missed",
          verdict.reached() ? "\u2713 reached" : "\u2717 missed",
          esc(verdict.aim()),
          esc(verdict.measured()));
    }
    add("</ul>\n</section>\n");
  }

  private void runs() {
    add("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">What was run</h2>\n");
    int number = 0;
    for (RunFacts run : results.runs()) {
      number++;
      add("<div class=\"run\">\n<p><code>%s</code></p>\n<dl>\n", esc(run.command()));
      if (results.runs().size() > 1) {
        fact("Run", String.valueOf(number));
      }
      fact("Testudo", run.testudo() + (run.commit() == null ? "" : ", commit " + run.commit()));
      fact("Machine", "%d cores, %,d MiB".formatted(run.cores(), run.memoryMebibytes()));
      fact("Java", run.jvm());
      fact("System", run.os());
      fact("When", "%s, for %s s".formatted(run.started(), Numbers.full(Math.rint(run.seconds()))));
      Double others = run.otherCpuShare();
      if (others != null) {
        fact(
            "Others on the machine",
            String.format(
                Locale.ROOT,
                "at most %.0f %%%s",
                others * 100,
                others > DISTURBED ? ": measure again when it is quiet" : ""));
      }
      add("</dl>\n");
      if (!run.options().isEmpty()) {
        add("<details><summary>Options</summary><dl>\n");
        run.options().forEach(this::fact);
        add("</dl></details>\n");
      }
      add("</div>\n");
    }
    add("</section>\n");
  }

  private void fact(String name, String value) {
    add("<div><dt>%s</dt><dd>%s</dd></div>%n", esc(name), esc(value));
  }

  private void contents() {
    if (groups.size() < 2) {
      return;
    }
    add("<nav aria-label=\"Cases\"><ul>\n");
    for (int i = 0; i < groups.size(); i++) {
      add("<li><a href=\"#g%d\">%s</a></li>%n", i, esc(groups.get(i).title()));
    }
    add("</ul></nav>\n");
  }

  private void group(CaseGroup group) {
    int number = groups.indexOf(group);
    add(
        "<section aria-labelledby=\"g%d\">%n<h2 id=\"g%d\">%s</h2>%n",
        number, number, esc(group.title()));
    add("<p>%s</p>%n", esc(howMeasured(group) + group.commonText()));
    List<Chart> charts = ChartChooser.charts(group);
    if (!charts.isEmpty()) {
      add("<div class=\"charts\">\n");
      for (Chart chart : charts) {
        add(
            "<figure><figcaption>%s</figcaption>%s</figure>%n",
            esc(chart.title()), ChartSvg.element(chart));
      }
      add("</div>\n");
    }
    table(group);
    add("</section>\n");
  }

  private static String howMeasured(CaseGroup group) {
    if (group.cases().get(0).virtual()) {
      return "Virtual time: the same on every machine. ";
    }
    boolean hasRounds =
        group.cases().stream().flatMap(one -> one.metrics().stream()).anyMatch(Metric::hasSpread);
    return hasRounds
        ? "Medians over rounds in turn; small, the lowest and highest round. "
        : "Each measured once. ";
  }

  private void table(CaseGroup group) {
    List<String> metrics = group.metrics();
    add(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">%n<table>%n<thead><tr>",
        esc("Table of " + group.title()));
    group.columns().forEach(key -> add("<th scope=\"col\">%s</th>", esc(Words.of(key))));
    for (String metric : metrics) {
      add("<th scope=\"col\" class=\"n\">%s%s</th>", esc(MetricKind.labelOf(metric)), unit(metric));
    }
    add("</tr></thead>\n<tbody>\n");
    for (ResultCase one : group.cases()) {
      add("<tr>");
      for (String key : group.columns()) {
        String value = CaseGroup.value(one, key);
        add("<td>%s</td>", esc(value));
      }
      metrics.forEach(name -> add("%s", one.metric(name).map(HtmlPage::cell).orElse("<td></td>")));
      add("</tr>\n");
    }
    add("</tbody>\n</table>\n</div>\n");
  }

  private static String unit(String metric) {
    String unit = MetricKind.unitBeside(metric);
    return unit.isEmpty() ? "" : " <small>%s</small>".formatted(esc(unit));
  }

  private static String cell(Metric metric) {
    return "<td class=\"n\">%s%s</td>"
        .formatted(
            Numbers.full(metric.value()),
            metric.hasSpread()
                ? "<small>%s\u2013%s</small>"
                    .formatted(Numbers.full(metric.low()), Numbers.full(metric.high()))
                : "");
  }

  private static String esc(String text) {
    return HtmlEscapers.htmlEscaper().escape(text);
  }

  private static String resource(String name) {
    try {
      return Resources.toString(Resources.getResource(HtmlPage.class, name), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @FormatMethod
  private void add(String format, Object... values) {
    page.append(
        values.length == 0
            ? format
            : String.format(Locale.ROOT, format.replace("%n", "\n"), values));
  }
}
