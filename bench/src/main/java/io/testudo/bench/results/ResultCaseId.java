package io.testudo.bench.results;

import com.google.common.collect.ImmutableSortedMap;

/** By what the same case of two runs is recognised. The order of keys does not matter. */
public record ResultCaseId(String bench, String name, ImmutableSortedMap<String, String> keys) {
  public static ResultCaseId of(ResultCase one) {
    return new ResultCaseId(one.bench(), one.name(), ImmutableSortedMap.copyOf(one.keys()));
  }
}
