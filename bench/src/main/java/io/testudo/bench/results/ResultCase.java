package io.testudo.bench.results;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one contestant gave in one case.
 *
 * @param keys what tells it from the other cases; two runs of the same case have the same
 * @param conditions how it was measured, such as the number of rounds
 * @param virtual whether times are virtual
 * @param otherCpuShare what other processes took of the machine meanwhile; null if it is not known
 * @param timeline how it went in its course; null where that is not of interest
 */
public record ResultCase(
    String bench,
    String name,
    ImmutableMap<String, String> keys,
    ImmutableMap<String, String> conditions,
    boolean virtual,
    @Nullable Double otherCpuShare,
    ImmutableList<Metric> metrics,
    @Nullable Timeline timeline) {

  public ResultCase(
      String bench,
      String name,
      ImmutableMap<String, String> keys,
      ImmutableMap<String, String> conditions,
      boolean virtual,
      @Nullable Double otherCpuShare,
      ImmutableList<Metric> metrics) {
    this(bench, name, keys, conditions, virtual, otherCpuShare, metrics, null);
  }

  public ResultCase withTimeline(Timeline course) {
    return new ResultCase(bench, name, keys, conditions, virtual, otherCpuShare, metrics, course);
  }

  public Optional<Metric> metric(String metricName) {
    return metrics.stream().filter(metric -> metric.name().equals(metricName)).findFirst();
  }

  /** Its bench, name and keys: what it is called by. */
  public String title() {
    StringBuilder title = new StringBuilder(bench);
    if (!name.equals(bench)) {
      title.append(' ').append(name);
    }
    keys.forEach((key, value) -> title.append(", ").append(Words.of(key, value)));
    return title.toString();
  }

  ResultCase withKey(String key, String value) {
    ImmutableMap<String, String> with =
        ImmutableMap.<String, String>builder().put(key, value).putAll(keys).buildKeepingLast();
    return new ResultCase(bench, name, with, conditions, virtual, otherCpuShare, metrics, timeline);
  }
}
