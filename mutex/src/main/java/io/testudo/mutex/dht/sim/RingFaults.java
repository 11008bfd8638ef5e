package io.testudo.mutex.dht.sim;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What the network of a ring does to messages, and clocks to time.
 *
 * @param loss the part of messages that is lost
 * @param duplication the part that arrives twice
 * @param shortestNanos the shortest way of a message; where ways differ, messages overtake others
 * @param longestNanos the longest
 * @param drift by how much the rates of clocks err at most
 */
public record RingFaults(
    double loss, double duplication, long shortestNanos, long longestNanos, double drift) {
  public RingFaults {
    checkArgument(loss >= 0 && loss < 1 && duplication >= 0 && duplication < 1, "not a part");
    checkArgument(shortestNanos > 0 && shortestNanos <= longestNanos, "no such delays");
  }

  /** Every message arrives once, after the same time; clocks are right. */
  public static RingFaults none(long delayNanos) {
    return new RingFaults(0, 0, delayNanos, delayNanos, 0);
  }
}
