package io.testudo.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableDoubleArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultsJsonTest {
  @TempDir private Path directory;

  @Test
  void readsWhatItWrote() throws ResultsException {
    BenchResults results = SampleResults.usual();

    assertThat(ResultsJson.parse(ResultsJson.text(results))).isEqualTo(results);
  }

  @Test
  void keepsTheCourseOfACase() throws ResultsException {
    BenchResults results =
        SampleResults.of(
            SampleResults.virtual(1, 2)
                .withTimeline(
                    new Timeline(
                        "rate : before",
                        -1,
                        0.1,
                        ImmutableMap.of("begins", 0.0, "ends", 3.0),
                        ImmutableDoubleArray.of(1, 0.5, 0))));

    assertThat(ResultsJson.parse(ResultsJson.text(results))).isEqualTo(results);
    assertThat(BenchResults.merged(List.of(results, results)).cases())
        .allMatch(one -> one.timeline() != null);
    assertThatThrownBy(
            () ->
                ResultsJson.parse(
                    ResultsJson.text(results).replace("\"begins\": 0.0", "\"x\": {}")))
        .isInstanceOf(ResultsException.class)
        .hasMessageContaining("timeline.marks.x is not a number");
  }

  @Test
  void readsAFolderOrItsFile() throws IOException, ResultsException {
    BenchResults results = SampleResults.usual();
    Path file = Files.writeString(directory.resolve("results.json"), ResultsJson.text(results));

    assertThat(ResultsJson.read(directory)).isEqualTo(results);
    assertThat(ResultsJson.read(file)).isEqualTo(results);
  }

  @Test
  void aFieldMoreIsNoHarm() throws ResultsException {
    String text = ResultsJson.text(SampleResults.usual());

    assertThat(ResultsJson.parse(text.replace("\"version\": 1", "\"version\": 1, \"more\": [1]")))
        .isEqualTo(SampleResults.usual());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"version\": 1      | \"version\": 2       | version 2 of the format, this bench knows 1",
        "testudo-bench-resul | somebody-elses-resul | not results of the bench",
        "\"value\": 1.5      | \"value\": \"1.5\"   | cases[4].metrics[0].value is not a number",
        "\"value\": 1.5      | \"value\": 1e999     | cases[4].metrics[0].value is not finite",
        "\"value\": 1.5      | \"velue\": 1.5       | cases[4].metrics[0].value is missing",
        "\"lower\"           | \"down\"             | better is down, not higher, lower or neither",
        "\"reached\": true   | \"reached\": 1       | verdicts[0].reached is neither true nor false",
        "\"command\": \"tes  | \"commend\": \"tes   | runs[0].command is missing",
        "\"clients\": \"2\"  | \"clients\": {}      | cases[4].keys.clients is not a text",
        "\"cases\": [        | \"cases\": [7,       | cases[0] is not an object",
        "\"runs\": [         | \"runs\": 1, \"r\": [| runs is not a list",
        "\"cases\"           | cases                | it is no JSON",
      })
  void saysWhereAForeignFileIsWrong(String part, String instead, String reason) {
    String text = ResultsJson.text(SampleResults.usual());
    assertThat(text).contains(part);
    String wrong = text.replace(part, instead);

    if (reason.equals("it is no JSON")) {
      wrong = wrong.substring(0, wrong.length() / 2);
    }
    String broken = wrong;
    assertThatThrownBy(() -> ResultsJson.parse(broken))
        .isInstanceOf(ResultsException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({"[]", "null", "17", "{}", "''", "<html>"})
  void refusesWhatIsNoResults(String text) {
    assertThatThrownBy(() -> ResultsJson.parse(text)).isInstanceOf(ResultsException.class);
  }

  @Test
  void refusesAFolderWithoutResultsAndBytesThatAreNoText() throws IOException {
    assertThatThrownBy(() -> ResultsJson.read(directory))
        .isInstanceOf(ResultsException.class)
        .hasMessageContaining("there is no results.json");
    Files.write(directory.resolve("results.json"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThatThrownBy(() -> ResultsJson.read(directory))
        .isInstanceOf(ResultsException.class)
        .hasMessageContaining("is not UTF-8");
  }
}
