package io.testudo.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.CommandRunner;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.ResultsException;
import io.testudo.bench.results.ResultsJson;
import io.testudo.bench.results.RunFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command of the bench leaves behind. */
class OutOptionTest {
  @TempDir private Path directory;

  @Test
  void aVirtualBenchWritesWhatWasRunItsCasesAndItsVerdicts() throws IOException, ResultsException {
    Path out = directory.resolve("out");
    CommandRunner command = new CommandRunner("contention");

    assertThat(
            command.run(
                "--object --mode sealed-statements --clients 1,2 --round-trip 1 --seeds 1 --out "
                    + out))
        .describedAs(command.failure())
        .isZero();

    BenchResults results = ResultsJson.read(out);
    RunFacts run = results.runs().get(0);
    assertThat(run.command())
        .startsWith("testudo bench contention --object --mode sealed-statements --clients 1,2");
    assertThat(run.options())
        .containsEntry("--clients", "1,2")
        .containsEntry("--seeds", "1")
        .doesNotContainKey("--out");
    assertThat(run.cores()).isPositive();
    assertThat(run.otherCpuShare()).isNull();
    assertThat(results.cases()).extracting(ResultCase::virtual).containsExactly(true, true);
    assertThat(results.cases().get(1).metric("p99RoundTrips").orElseThrow().deterministic())
        .isTrue();
    assertThat(results.verdicts()).hasSize(4).allMatch(verdict -> verdict.reached());
    assertThat(command.text()).contains("Results: " + out.resolve("index.html"));
  }

  @Test
  void refusesAFolderOfSomebodyElseBeforeItMeasures() throws IOException {
    Files.writeString(directory.resolve("mine.txt"), "mine");
    CommandRunner command = new CommandRunner("scale");

    assertThat(command.run("--out " + directory)).isEqualTo(1);
    assertThat(command.failure()).contains("has other files in it, choose a new directory");
    assertThat(command.text()).isEmpty();
  }
}
