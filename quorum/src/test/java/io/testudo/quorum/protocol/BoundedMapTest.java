package io.testudo.quorum.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedMapTest {
  private static void fill(Map<String, Integer> map) {
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);
    map.put("c", 3);
  }

  @Test
  void forgetsWhatWasPutInFirst() {
    Map<String, Integer> map = BoundedMap.byAge(2);
    fill(map);
    assertThat(map).containsOnlyKeys("b", "c");
  }

  @Test
  void forgetsWhatWasNotUsedForTheLongest() {
    Map<String, Integer> map = BoundedMap.byUse(2);
    fill(map);
    assertThat(map).containsOnlyKeys("a", "c");
  }
}
