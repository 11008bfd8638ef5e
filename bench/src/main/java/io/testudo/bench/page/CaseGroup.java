package io.testudo.bench.page;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.testudo.bench.results.Better;
import io.testudo.bench.results.Metric;
import io.testudo.bench.results.ResultCase;
import io.testudo.bench.results.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The cases that stand in one table: of one bench and name.
 *
 * @param columns the fewest keys that tell its cases apart
 * @param common what all of its cases have in common
 */
record CaseGroup(
    String bench,
    String name,
    ImmutableList<ResultCase> cases,
    ImmutableList<String> columns,
    ImmutableMap<String, String> common) {

  /** In the order in which they first occur. */
  static ImmutableList<CaseGroup> of(List<ResultCase> all) {
    Map<List<String>, List<ResultCase>> groups = new LinkedHashMap<>();
    for (ResultCase one : all) {
      groups.computeIfAbsent(List.of(one.bench(), one.name()), any -> new ArrayList<>()).add(one);
    }
    ImmutableList.Builder<CaseGroup> built = ImmutableList.builder();
    groups.forEach((names, cases) -> built.add(of(names.get(0), names.get(1), cases)));
    return built.build();
  }

  private static CaseGroup of(String bench, String name, List<ResultCase> cases) {
    Set<String> keys = new LinkedHashSet<>();
    cases.forEach(one -> keys.addAll(one.keys().keySet()));
    ImmutableMap.Builder<String, String> common = ImmutableMap.builder();
    List<String> varying = new ArrayList<>();
    for (String key : keys) {
      if (values(cases, key).size() == 1) {
        common.put(key, value(cases.get(0), key));
      } else {
        varying.add(key);
      }
    }
    return new CaseGroup(
        bench, name, ImmutableList.copyOf(cases), telling(cases, varying), common.buildOrThrow());
  }

  /** Leaves out keys that say nothing which those before them do not say. */
  private static ImmutableList<String> telling(List<ResultCase> cases, List<String> varying) {
    List<String> chosen = new ArrayList<>();
    int told = 1;
    for (String key : varying) {
      chosen.add(key);
      int more = told(cases, chosen);
      if (more == told) {
        chosen.remove(chosen.size() - 1);
      }
      told = more;
    }
    return ImmutableList.copyOf(chosen);
  }

  private static int told(List<ResultCase> cases, List<String> keys) {
    Set<List<String>> told = new HashSet<>();
    cases.forEach(one -> told.add(keys.stream().map(key -> value(one, key)).toList()));
    return told.size();
  }

  static ImmutableSet<String> values(List<ResultCase> cases, String key) {
    return cases.stream().map(one -> value(one, key)).collect(ImmutableSet.toImmutableSet());
  }

  /** Empty where a case has no such key. */
  static String value(ResultCase one, String key) {
    return one.keys().getOrDefault(key, "");
  }

  /** What the table shows of them: all figures but those that only go with others. */
  ImmutableList<String> metrics() {
    Set<String> all = new LinkedHashSet<>();
    Set<String> judged = new LinkedHashSet<>();
    for (ResultCase one : cases) {
      for (Metric metric : one.metrics()) {
        all.add(metric.name());
        if (metric.better() != Better.NEITHER) {
          judged.add(metric.name());
        }
      }
    }
    boolean isOfClaims = all.contains("claimed") || judged.isEmpty();
    return ImmutableList.copyOf(isOfClaims ? all : judged);
  }

  String title() {
    return name.isEmpty() || name.equals(bench) ? bench : bench + ": " + name;
  }

  /** For names of files and anchors. */
  String id() {
    return (bench + "-" + name).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  /** One sentence of what its cases have in common. */
  String commonText() {
    StringBuilder text = new StringBuilder();
    common.forEach(
        (key, value) -> text.append(text.length() == 0 ? "" : ", ").append(Words.of(key, value)));
    return text.toString();
  }
}
