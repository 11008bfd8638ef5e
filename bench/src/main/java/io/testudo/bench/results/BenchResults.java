package io.testudo.bench.results;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Results of one run, or of several that are looked at together.
 *
 * @param runs one, unless they were merged
 */
public record BenchResults(
    ImmutableList<RunFacts> runs,
    ImmutableList<AimVerdict> verdicts,
    ImmutableList<ResultCase> cases) {
  private static final String RUN = "run";

  /**
   * All of them as one. Where several runs had the same case, it gets a key that names its run, so
   * that none hides another.
   */
  public static BenchResults merged(List<BenchResults> all) {
    Map<ResultCaseId, Integer> times = new HashMap<>();
    all.forEach(one -> distinct(one).forEach(id -> times.merge(id, 1, Integer::sum)));
    ImmutableList.Builder<RunFacts> runs = ImmutableList.builder();
    ImmutableList.Builder<AimVerdict> verdicts = ImmutableList.builder();
    List<ResultCase> cases = new ArrayList<>();
    int number = 0;
    for (BenchResults one : all) {
      number++;
      runs.addAll(one.runs);
      verdicts.addAll(one.verdicts);
      for (ResultCase each : one.cases) {
        boolean isRepeated = times.getOrDefault(ResultCaseId.of(each), 0) > 1;
        cases.add(isRepeated ? each.withKey(RUN, String.valueOf(number)) : each);
      }
    }
    return new BenchResults(runs.build(), verdicts.build(), ImmutableList.copyOf(cases));
  }

  private static ImmutableSet<ResultCaseId> distinct(BenchResults one) {
    return one.cases.stream().map(ResultCaseId::of).collect(ImmutableSet.toImmutableSet());
  }
}
