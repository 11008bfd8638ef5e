package io.testudo.bench.results;

import com.google.common.collect.ImmutableMap;
import org.jspecify.annotations.Nullable;

/**
 * What was run, and on what.
 *
 * @param command as it was typed
 * @param options of the command with their values, defaults as well
 * @param commit of the checkout that it ran from; null if that is not known
 * @param started in UTC, ISO 8601
 * @param otherCpuShare the most that other processes took in a case; null if that is not known
 */
public record RunFacts(
    String command,
    ImmutableMap<String, String> options,
    String testudo,
    @Nullable String commit,
    String started,
    double seconds,
    int cores,
    long memoryMebibytes,
    String jvm,
    String os,
    @Nullable Double otherCpuShare) {
  /** One line about the machine. */
  public String machine() {
    return "%d cores, %d MiB, %s, %s".formatted(cores, memoryMebibytes, jvm, os);
  }
}
