package io.testudo.mutex.sigma;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * What may be chosen about Sigma beside the time bounds.
 *
 * @param quarantine whether a server stays mute after each start until all that it may have granted
 *     before is over. Then no number of restarts breaks exclusion, and each start, the first one
 *     too, costs that long
 * @param checkNanos how often a server asks the owner whether it knows of its grant
 * @param firstYieldNanos after how long one that has some grants makes way although another seems
 *     to hold the lock; doubled each time
 * @param longestYieldNanos up to this
 */
public record SigmaTuning(
    boolean quarantine, long checkNanos, long firstYieldNanos, long longestYieldNanos) {
  public SigmaTuning {
    checkArgument(checkNanos > 0, "a check every %s ns makes no sense", checkNanos);
    checkArgument(
        firstYieldNanos > 0 && firstYieldNanos <= longestYieldNanos,
        "yields after %s to %s ns make no sense",
        firstYieldNanos,
        longestYieldNanos);
  }

  /** No quarantine; a check every second; such yields after one to eight seconds. */
  public static SigmaTuning standard() {
    return new SigmaTuning(
        false,
        Duration.ofSeconds(1).toNanos(),
        Duration.ofSeconds(1).toNanos(),
        Duration.ofSeconds(8).toNanos());
  }

  public SigmaTuning withQuarantine(boolean on) {
    return new SigmaTuning(on, checkNanos, firstYieldNanos, longestYieldNanos);
  }
}
