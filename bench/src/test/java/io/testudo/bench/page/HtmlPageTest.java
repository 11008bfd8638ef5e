package io.testudo.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.testudo.bench.results.AimVerdict;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.Better;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.RunFacts;
import io.testudo.bench.results.SampleResults;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class HtmlPageTest {
  private static final String HOSTILE = "</script><script>alert(1)</script>\"'&<b> | `x`";

  @TempDir private Path directory;

  private static BenchResults hostile() {
    RunFacts run =
        new RunFacts(
            HOSTILE,
            ImmutableMap.of(HOSTILE, HOSTILE),
            HOSTILE,
            HOSTILE,
            HOSTILE,
            1,
            2,
            3,
            HOSTILE,
            HOSTILE,
            null);
    ImmutableList.Builder<ResultCase> cases = ImmutableList.builder();
    for (int i = 1; i <= 3; i++) {
      cases.add(
          new ResultCase(
              HOSTILE,
              HOSTILE,
              ImmutableMap.of(HOSTILE, HOSTILE, "clients", "" + i, "k" + HOSTILE, HOSTILE + i),
              ImmutableMap.of(HOSTILE, HOSTILE),
              false,
              null,
              ImmutableList.of(
                  Metric.ofRounds("opsPerSecond", HOSTILE, Better.HIGHER, i, 2 * i),
                  Metric.ofRounds(HOSTILE, HOSTILE, Better.LOWER, i, 2 * i))));
    }
    return new BenchResults(
        ImmutableList.of(run),
        ImmutableList.of(new AimVerdict(HOSTILE, false, HOSTILE)),
        cases.build());
  }

  @Test
  void nothingThatResultsSayIsMarkup() {
    String page = HtmlPage.of(hostile());

    assertThat(page).doesNotContain("<script>alert", "<b>");
    assertThat(page.split("<script", -1)).hasSize(2);
    assertThat(page.split("</script", -1)).hasSize(2);
    assertThat(page).contains("&lt;/script&gt;&lt;script&gt;alert(1)");
    // Nor can it leave an attribute.
    Matcher attributes = Pattern.compile("=\"([^\"]*)\"").matcher(page);
    assertThat(attributes.results().map(found -> found.group(1)).toList())
        .noneMatch(value -> value.contains("<") || value.contains("alert(1)</"));
  }

  @Test
  void tablesInMarkdownStayTables() {
    String text = MarkdownTables.of(hostile());

    // In a line of code, which is indented, markup is none.
    assertThat(text.lines().filter(line -> !line.startsWith("    ")))
        .noneMatch(line -> line.contains("<script>"));
    List<String> table = text.lines().filter(line -> line.startsWith("| ")).toList();
    assertThat(table).isNotEmpty();
    assertThat(text).contains("\\|", "\\`x\\`");
  }

  @Test
  void plotsOfHostileNamesAreWellFormed()
      throws IOException, ParserConfigurationException, SAXException {
    ResultsFolder.write(directory, hostile());

    try (Stream<Path> plots = Files.list(directory.resolve("plots"))) {
      List<Path> all = plots.toList();
      assertThat(all).isNotEmpty();
      for (Path plot : all) {
        var unused =
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Files.readString(plot))));
      }
    }
  }

  @Test
  void aPageNeedsNothingFromElsewhere() {
    String page = HtmlPage.of(SampleResults.usual());

    assertThat(page.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:", "https:", "src=", "<link", "url(", "@import");
    assertThat(page).contains("default-src 'none'", "width=device-width", "prefers-color-scheme");
  }

  @Test
  void saysWhatWasRunTheVerdictsAndEachFigureWithItsSpread() {
    String page = HtmlPage.of(SampleResults.usual());

    assertThat(page)
        .contains("testudo bench lock --quick")
        .contains("1 of 2 aims reached")
        .contains("\u2717 missed</strong> <span>a quiet machine")
        .contains("<td class=\"n\">100<small>90\u2013110</small></td>")
        .contains("<title>async, 8 clients: 200 (190 to 210)</title>")
        .contains("Virtual time: the same on every machine");
  }

  @Test
  void aFolderHasAllOfItAndNothingOfAnEarlierRun() throws IOException {
    ResultsFolder.write(directory, SampleResults.usual());
    assertThat(directory.resolve("plots/lock-contended-1.svg")).exists();

    ResultsFolder.write(
        directory, SampleResults.of(SampleResults.virtual(1, 8), SampleResults.virtual(2, 9)));

    assertThat(directory.resolve("plots/lock-contended-1.svg")).doesNotExist();
    assertThat(directory.resolve("index.html")).exists();
    assertThat(directory.resolve("tables.md")).content().contains("| clients |");
    assertThat(ResultsFolder.isFree(directory)).isTrue();
    assertThat(ResultsFolder.isFree(directory.resolve("plots/none"))).isTrue();
    Files.writeString(directory.resolve("plots/mine.txt"), "mine");
    assertThat(ResultsFolder.isFree(directory.resolve("plots"))).isFalse();
    assertThat(ResultsFolder.isFree(directory.resolve("plots/mine.txt"))).isFalse();
  }
}
