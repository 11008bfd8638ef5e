package io.testudo.bench.comparing;

import com.google.common.collect.ImmutableList;
import io.testudo.bench.comparing.NoiseRule.Difference;
import io.testudo.bench.comparing.NoiseRule.Verdict;
import io.testudo.bench.results.BenchResults;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.ResultCaseId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Two runs beside each other.
 *
 * @param compared figures that both have
 * @param onlyBefore cases that only the first has
 * @param onlyAfter cases that only the second has
 */
record Comparison(
    ImmutableList<Compared> compared,
    ImmutableList<ResultCase> onlyBefore,
    ImmutableList<ResultCase> onlyAfter) {

  /** One figure of a case of both. */
  record Compared(ResultCase of, Difference difference) {}

  static Comparison of(BenchResults before, BenchResults after, NoiseRule rule) {
    Map<ResultCaseId, ResultCase> left = byId(before);
    Map<ResultCaseId, ResultCase> right = byId(after);
    ImmutableList.Builder<Compared> compared = ImmutableList.builder();
    List<ResultCase> onlyBefore = new ArrayList<>();
    left.forEach(
        (id, one) -> {
          ResultCase other = right.get(id);
          if (other == null) {
            onlyBefore.add(one);
            return;
          }
          for (Metric metric : one.metrics()) {
            Optional<Metric> same = other.metric(metric.name());
            same.ifPresent(
                it -> compared.add(new Compared(one, rule.judge(one, metric, other, it))));
          }
        });
    ImmutableList<ResultCase> onlyAfter =
        right.entrySet().stream()
            .filter(entry -> !left.containsKey(entry.getKey()))
            .map(Map.Entry::getValue)
            .collect(ImmutableList.toImmutableList());
    return new Comparison(compared.build(), ImmutableList.copyOf(onlyBefore), onlyAfter);
  }

  private static Map<ResultCaseId, ResultCase> byId(BenchResults results) {
    Map<ResultCaseId, ResultCase> byId = new LinkedHashMap<>();
    results.cases().forEach(one -> byId.putIfAbsent(ResultCaseId.of(one), one));
    return byId;
  }

  long count(Verdict verdict) {
    return compared.stream().filter(one -> one.difference().verdict() == verdict).count();
  }
}
