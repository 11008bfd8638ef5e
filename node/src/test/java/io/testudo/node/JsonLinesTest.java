package io.testudo.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
  private record Row(
      String bench,
      int servers,
      double opsPerSecond,
      @Nullable Long p50Micros,
      List<Integer> liars) {}

  @Test
  void leavesOutWhatDoesNotApply() {
    assertThat(JsonLines.line(new Row("ping", 4, 1.5, null, List.of(1, 2))))
        .isEqualTo("{\"bench\":\"ping\",\"servers\":4,\"opsPerSecond\":1.5,\"liars\":[1,2]}");
    assertThat(JsonLines.line(new Row("ping", 4, 1.5, 7L, List.of()))).contains("\"p50Micros\":7");
  }

  @Test
  void keepsTheOrderOfAMap() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("seed", Long.MAX_VALUE);
    row.put("case", "a\nb");
    assertThat(JsonLines.line(row)).isEqualTo("{\"seed\":9223372036854775807,\"case\":\"a\\nb\"}");
  }

  @Test
  void refusesWhatIsNoObject() {
    assertThatThrownBy(() -> JsonLines.line(List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be an object");
  }

  @Test
  void refusesNamesThatAreNotCamelCase() {
    for (String name : List.of("p50_micros", "P50", "p50-micros", "")) {
      assertThatThrownBy(() -> JsonLines.line(Map.of(name, 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("camelCase");
    }
  }

  @Test
  void refusesNumbersThatJsonCannotHold() {
    assertThatThrownBy(() -> JsonLines.line(Map.of("rate", Double.NaN)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
