package io.testudo.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromQueryTest {
  @Test
  void findsMetricsAndLabels() {
    PromQuery query =
        new PromQuery(
            "sum by (cluster, reason) (rate(a_total{reason=~\"x|{y}\", job!=\"z\"}[5m])) > on (instance)"
                + " group_left () (b_seconds / 2) and abs(c) < 1e3 unless time() > 2");
    assertThat(query.metrics)
        .isEqualTo(
            Map.of("a_total", Set.of("job", "reason"), "b_seconds", Set.of(), "c", Set.of()));
    assertThat(query.groupedBy).containsExactly("cluster", "instance", "reason");
  }
}
