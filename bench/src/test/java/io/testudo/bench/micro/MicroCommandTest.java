package io.testudo.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.testudo.bench.CommandRunner;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.ResultsException;
import io.testudo.bench.results.ResultsJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All benchmarks for a moment, in this process. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MicroCommandTest {
  @TempDir private Path directory;

  private final CommandRunner command = new CommandRunner("micro");

  @Test
  void measuresEveryPart() throws IOException, ResultsException {
    Path out = directory.resolve("out");

    assertThat(command.run("--forks 0 --rounds 1 --seconds 0.02 --json --out " + out))
        .describedAs(command.failure())
        .isZero();

    List<JsonObject> rows = command.rows();
    assertThat(rows)
        .extracting(row -> row.get("case").getAsString() + " " + row.get("operation").getAsString())
        .containsOnly(
            "codec encode",
            "codec decode",
            "seals sealHmac",
            "seals verifyHmac",
            "seals sealEd25519",
            "seals verifyEd25519",
            "tally count",
            "steps ping",
            "steps lockTurn",
            "journal append");
    assertThat(rows).hasSize(13).allMatch(row -> row.get("nanosPerOperation").getAsDouble() > 0);
    BenchResults results = ResultsJson.read(out);
    assertThat(results.cases()).hasSize(13).noneMatch(ResultCase::virtual);
    assertThat(results.cases().get(0).metric("nanosPerOperation").orElseThrow().rounds().length())
        .isEqualTo(1);
  }

  @Test
  void refusesWhatItCannotMeasure() {
    assertThat(command.run("--rounds 0")).isEqualTo(1);
    assertThat(command.failure()).contains("--rounds must be from 1 to 100");
    assertThat(command.run("--seconds 0")).isEqualTo(1);
    assertThat(command.run("--forks 11")).isEqualTo(1);
    assertThat(command.run("--part nonsense")).isEqualTo(2);
    assertThat(command.text()).isEmpty();
  }
}
