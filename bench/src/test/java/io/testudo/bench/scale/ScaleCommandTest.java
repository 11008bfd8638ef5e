package io.testudo.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.testudo.bench.CommandRunner;
import io.testudo.quorum.junit.LeavesNoProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ScaleCommandTest {
  @RegisterExtension private final LeavesNoProcess processes = new LeavesNoProcess();

  @TempDir private Path directory;

  private final CommandRunner command = new CommandRunner("scale");

  private void assertNothingIsLeft() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void measuresTheMemoryOfLocksObjectsAndConnections() throws Exception {
    assertThat(
            command.run(
                "--part memory --servers 4 --locks 3000,10 --objects 200 --connections 3 --json"
                    + " --directory "
                    + directory))
        .describedAs(command.failure())
        .isZero();
    assertThat(command.rows())
        .extracting(row -> row.get("of").getAsString())
        .containsExactly("locks", "locks", "objects", "connections");
    // So few of them are within what a heap differs by from one look to the next.
    assertThat(command.rows().get(1).get("heapBytesPerLock").getAsDouble()).isNotNegative();
    assertThat(command.rows().get(2).get("heapBytesPerObject").getAsDouble()).isNotNegative();
    assertThat(command.rows())
        .allMatch(row -> row.get("heapBytesPerServer").getAsDouble() > 100_000);
    assertNothingIsLeft();
  }

  @Test
  void measuresTheStartWithALargeJournal() throws Exception {
    assertThat(
            command.run(
                "--part recovery --servers 4 --objects 30 --state 20000 --quick --json --directory "
                    + directory))
        .describedAs(command.failure())
        .isZero();
    assertThat(command.rows()).hasSize(1);
    JsonObject row = command.rows().get(0);
    assertThat(row.get("journalBytesPerServer").getAsDouble()).isGreaterThan(30 * 20_000);
    assertThat(row.get("startMillis").getAsDouble()).isPositive();
    assertThat(row.get("startRatioToEmpty").getAsDouble()).isPositive();
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--part memory --servers 3     | --servers must be from 4 to 31 here",
        "--part recovery --servers 64  | --servers must be from 4 to 31 here",
        "--locks 100001                | --locks must be from 1 to 100,000 here",
        "--objects 0                   | --objects must be from 1 to 9,000 here",
        "--connections 9999            | --connections must be from 1 to 1,000 here",
        "--state 9999999               | --state must be from 0 to 1,048,576 here",
      })
  void refusesWhatItCannotMeasure(String arguments, String reason) {
    assertThat(command.run(arguments)).isEqualTo(1);
    assertThat(command.failure()).contains(reason);
    assertThat(command.text()).isEmpty();
  }
}
