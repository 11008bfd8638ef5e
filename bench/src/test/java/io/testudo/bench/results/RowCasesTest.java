package io.testudo.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableDoubleArray;
import com.google.gson.JsonParser;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowCasesTest {
  private static ResultCase caseOf(String row) {
    return RowCases.of(JsonParser.parseString(row).getAsJsonObject(), Map.of(), false);
  }

  @Test
  void tellsFiguresFromWhatTellsCasesApart() {
    ResultCase one =
        RowCases.of(
            JsonParser.parseString(
                    """
                    {"bench": "lock", "case": "contended", "system": "testudo", "servers": 4,
                     "clients": 8, "opsPerSecond": 100.0, "opsPerSecondLow": 90.0,
                     "opsPerSecondHigh": 130.0, "opsRatioToPing": 0.5, "rounds": 3,
                     "otherCpuShare": 0.2, "cores": 2, "jdk": "17", "offeredPerSecond": 5000.0}
                    """)
                .getAsJsonObject(),
            Map.of("opsRatioToPing", ImmutableDoubleArray.of(0.4, 0.5, 0.6)),
            false);

    assertThat(one.bench()).isEqualTo("lock");
    assertThat(one.name()).isEqualTo("contended");
    assertThat(one.keys())
        .containsExactly(
            Map.entry("system", "testudo"),
            Map.entry("servers", "4"),
            Map.entry("clients", "8"),
            Map.entry("offeredPerSecond", "5000"));
    assertThat(one.conditions()).containsExactly(Map.entry("rounds", "3"));
    assertThat(one.otherCpuShare()).isEqualTo(0.2);
    assertThat(one.metrics())
        .containsExactly(
            new Metric(
                "opsPerSecond",
                "1/s",
                Better.HIGHER,
                100,
                90,
                130,
                ImmutableDoubleArray.of(),
                false),
            new Metric(
                "opsRatioToPing",
                "ratio",
                Better.HIGHER,
                0.5,
                0.4,
                0.6,
                ImmutableDoubleArray.of(0.4, 0.5, 0.6),
                false));
  }

  @Test
  void anOrderOfKeysOrARoundNumberMakesNoOtherCase() {
    ResultCase one =
        caseOf("{\"bench\":\"a\",\"case\":\"b\",\"roundTripMillis\":1.0,\"clients\":2}");
    ResultCase same =
        caseOf("{\"bench\":\"a\",\"case\":\"b\",\"clients\":2,\"roundTripMillis\":1}");

    assertThat(ResultCaseId.of(one)).isEqualTo(ResultCaseId.of(same));
    assertThat(one.title()).isEqualTo("a b, round trip 1 ms, clients 2");
  }

  @Test
  void aReproducedFigureIsACaseOfItsTable() {
    ResultCase one =
        caseOf(
            "{\"reproduction\":\"sigma\",\"table\":\"busy\",\"figure\":\"waitMillis\",\"measured\":3,"
                + "\"claimed\":4,\"holds\":false}");

    assertThat(one.bench()).isEqualTo("sigma");
    assertThat(one.name()).isEqualTo("busy");
    assertThat(one.metric("claimed").orElseThrow().better()).isEqualTo(Better.NEITHER);
    assertThat(one.conditions()).containsEntry("holds", "false");
  }

  @Test
  void aCaseOfTwoRunsIsToldApartWhenTheyAreMerged() {
    BenchResults first =
        SampleResults.of(SampleResults.virtual(1, 8), SampleResults.virtual(2, 16));
    BenchResults second = SampleResults.of(SampleResults.virtual(2, 17));

    BenchResults merged = BenchResults.merged(java.util.List.of(first, second));

    assertThat(merged.runs()).hasSize(2);
    assertThat(merged.verdicts()).hasSize(4);
    assertThat(merged.cases())
        .extracting(ResultCase::title)
        .containsExactly(
            "contention object, clients 1",
            "contention object, run 1, clients 2",
            "contention object, run 2, clients 2");
  }
}
