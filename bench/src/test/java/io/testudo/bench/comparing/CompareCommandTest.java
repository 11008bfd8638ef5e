package io.testudo.bench.comparing;

import static io.testudo.bench.results.SampleResults.rate;
import static io.testudo.bench.results.SampleResults.timed;
import static io.testudo.bench.results.SampleResults.virtual;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.testudo.bench.CommandRunner;
import io.testudo.bench.page.ResultsFolder;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.ResultsException;
import io.testudo.bench.results.ResultsJson;
import io.testudo.bench.results.SampleResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir private Path directory;

  private final CommandRunner compare = new CommandRunner("compare");
  private final CommandRunner report = new CommandRunner("report");

  private Path folder(String name, ResultCase... cases) throws IOException {
    Path folder = directory.resolve(name);
    ResultsFolder.write(folder, SampleResults.of(cases));
    return folder;
  }

  @Test
  void aRegressionBeyondNoiseEndsWithOne() throws IOException {
    Path before = folder("a", timed("async", 1, rate(100, 101, 99)), virtual(1, 8));
    Path after = folder("b", timed("async", 1, rate(60, 61, 59)), virtual(1, 8));

    assertThat(compare.run(before + " " + after)).isEqualTo(1);
    assertThat(compare.failure()).isEmpty();
    assertThat(compare.text())
        .contains("worse", "-40.0 %", "10.0 %", "operations/s: lock contended")
        .contains("1 worse, 0 better, 0 changed, 1 the same within noise");
  }

  @Test
  void noDifferenceOrAnImprovementEndsWithZero() throws IOException {
    Path before = folder("a", timed("async", 1, rate(100, 101, 99)), virtual(1, 8));
    Path after = folder("b", timed("async", 1, rate(102, 101, 99)), virtual(1, 7));

    assertThat(compare.run(before + " " + before)).isZero();
    assertThat(compare.run(before + " " + after)).isZero();
    assertThat(compare.text()).contains("0 worse, 1 better");
  }

  @Test
  void theLeastEffectAndTheToleranceAreTheUsers() throws IOException {
    Path before = folder("a", timed("async", 1, rate(100, 100, 100)), virtual(1, 8));
    Path after = folder("b", timed("async", 1, rate(93, 93, 93)), virtual(1, 8.2));

    assertThat(compare.run("--tolerance 3 " + before + " " + after)).isZero();
    assertThat(compare.run("--tolerance 3 --least 5 " + before + " " + after)).isEqualTo(1);
    assertThat(compare.run(before + " " + after)).isEqualTo(1);
  }

  @Test
  void casesOfOneRunOnlyAreNamed() throws IOException {
    Path before = folder("a", virtual(1, 8), virtual(2, 8));
    Path after = folder("b", virtual(1, 8), virtual(3, 8));

    assertThat(compare.run(before + " " + after)).isZero();
    assertThat(compare.text())
        .contains("only before: contention object, clients 2")
        .contains("only after: contention object, clients 3");
  }

  @Test
  void rowsHaveEveryFigure() throws IOException {
    Path before = folder("a", timed("async", 1, rate(100, 101, 99)), virtual(1, 0));
    Path after = folder("b", timed("async", 1, rate(60, 61, 59)), virtual(1, 2));

    assertThat(compare.run("--json " + before + " " + after)).isEqualTo(1);
    assertThat(compare.rows()).hasSize(2);
    JsonObject row = compare.rows().get(0);
    assertThat(row.get("verdict").getAsString()).isEqualTo("worse");
    assertThat(row.get("change").getAsDouble()).isEqualTo(-0.4);
    assertThat(row.get("noise").getAsDouble()).isEqualTo(0.1);
    assertThat(row.get("keys").getAsJsonObject().get("use").getAsString()).isEqualTo("async");
  }

  @Test
  void refusesWhatIsNotOfTheBench() throws IOException {
    Path good = folder("a", virtual(1, 8));
    Path other = folder("b", virtual(2, 8));
    Path foreign = Files.createDirectories(directory.resolve("c"));

    assertThat(compare.run(good + " " + foreign)).isEqualTo(1);
    assertThat(compare.failure()).contains("there is no results.json", "--out");
    Files.writeString(foreign.resolve("results.json"), "{\"a\": 1}");
    assertThat(compare.run(foreign + " " + good)).isEqualTo(1);
    assertThat(compare.failure()).contains("not results of the bench");
    assertThat(report.run(good + " " + foreign + " --out " + directory.resolve("d"))).isEqualTo(1);
    assertThat(report.failure()).contains("not results of the bench");
    assertThat(directory.resolve("d")).doesNotExist();
    assertThat(compare.run(good + " " + other)).isEqualTo(1);
    assertThat(compare.failure()).contains("no case in common");
    assertThat(compare.run(good.toString())).isEqualTo(2);
    assertThat(report.run("")).isEqualTo(2);
    assertThat(compare.text()).isEmpty();
  }

  @Test
  void aReportHasAllRunsOnOnePage() throws IOException, ResultsException {
    Path one = folder("a", timed("async", 1, rate(1, 2, 3)));
    Path two = folder("b", virtual(1, 8), virtual(2, 9));
    Path out = directory.resolve("all");

    assertThat(report.run(one + " " + two + " --out " + out)).isZero();
    assertThat(report.text()).contains("2 runs, 3 cases");
    assertThat(out.resolve("index.html"))
        .content()
        .contains("lock: contended", "contention: object");
    assertThat(ResultsJson.read(out).cases()).hasSize(3);
    Path mine = Files.createDirectories(directory.resolve("mine"));
    Files.writeString(mine.resolve("notes.txt"), "mine");
    assertThat(report.run(one + " --out " + mine)).isEqualTo(1);
    assertThat(report.failure()).contains("has other files in it");
  }
}
