package io.testudo.bench.counts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.Resources;
import io.testudo.bench.counts.CountedRun.Costs;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds operations to what they cost, in counts of messages, bytes and allocated bytes that are the
 * same on every machine: a change that makes one dearer has to say so in {@code operations.txt}.
 */
class OperationCountsTest {
  private static final int OPERATIONS = 2_000;

  /** Messages and bytes are exact; the file has two digits of them. */
  private static final double ROUNDING = 0.006;

  /** Other virtual machines allocate a little otherwise. */
  private static final double TOLERANCE_OF_ALLOCATION = 0.10;

  private static Map<String, Costs> expected() throws IOException {
    Map<String, Costs> expected = new LinkedHashMap<>();
    for (String line :
        Resources.readLines(
            Resources.getResource(OperationCountsTest.class, "operations.txt"), UTF_8)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        List<String> words = Arrays.asList(line.trim().split("\\s+", -1));
        expected.put(
            words.get(0),
            new Costs(
                Double.parseDouble(words.get(1)),
                Double.parseDouble(words.get(2)),
                Double.parseDouble(words.get(3))));
      }
    }
    return expected;
  }

  @ParameterizedTest
  @EnumSource
  void noOperationCostsMoreThanItDid(CountedOperation operation) throws IOException {
    Costs costs = CountedRun.of(operation, OPERATIONS);
    String line =
        String.format(
            Locale.ROOT,
            "%-22s %9.2f %11.2f %13.0f",
            operation.word(),
            costs.messages(),
            costs.bytes(),
            costs.allocatedBytes());
    Costs before = expected().getOrDefault(operation.word(), new Costs(0, 0, 0));
    String advice =
        "operations.txt has to say%n%s%nif this is meant to be so: a line that falls is good news,"
                .formatted(line)
            + " one that rises needs a reason in the commit";

    assertThat(costs.messages())
        .describedAs("messages: " + advice)
        .isBetween(before.messages() - ROUNDING, before.messages() + ROUNDING);
    assertThat(costs.bytes())
        .describedAs("bytes: " + advice)
        .isBetween(before.bytes() - ROUNDING, before.bytes() + ROUNDING);
    assertThat(costs.allocatedBytes())
        .describedAs("allocated bytes: " + advice)
        .isLessThanOrEqualTo(before.allocatedBytes() * (1 + TOLERANCE_OF_ALLOCATION));
  }

  @Test
  void theFileNamesWhatIsCountedAndNothingElse() throws IOException {
    assertThat(expected().keySet())
        .containsExactlyElementsOf(
            Arrays.stream(CountedOperation.values()).map(CountedOperation::word).toList());
  }
}
