package io.testudo.ordering.client;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How patient a client is, and how much of the past it lets servers keep. Safety rests on none of
 * it.
 *
 * @param retryNanos after which a server that has not answered is asked again
 * @param ballotNanos after which a ballot is given up
 * @param maxSkewMillis how far ahead of its own clock a client believes a rank without proof
 * @param entriesPerSnapshot after so many entries the state is stored as a whole, and they are
 *     forgotten
 * @param patienceNanos how long a client waits for another to order its operations
 * @param lingerNanos how long a commit for which nobody else waits may wait for another proposal
 * @param turnNanos for how long an orderer asks for its lock, at a time
 */
public record OrderTiming(
    long retryNanos,
    long ballotNanos,
    long maxSkewMillis,
    int entriesPerSnapshot,
    long patienceNanos,
    long lingerNanos,
    long turnNanos) {
  private static final long MILLI = 1_000_000L;

  public OrderTiming {
    checkArgument(
        retryNanos > 0 && ballotNanos > 0 && patienceNanos > 0 && lingerNanos > 0 && turnNanos > 0,
        "times must be positive");
    checkArgument(entriesPerSnapshot > 0, "a snapshot must follow at least one entry");
  }

  public static OrderTiming standard() {
    return new OrderTiming(
        200 * MILLI, 2_000 * MILLI, 10_000, 512, 300 * MILLI, 5 * MILLI, 1_000 * MILLI);
  }

  /** The same with a lock that is not asked for longer than it is granted. */
  public OrderTiming withLongestTurn(long nanos) {
    return new OrderTiming(
        retryNanos,
        ballotNanos,
        maxSkewMillis,
        entriesPerSnapshot,
        patienceNanos,
        lingerNanos,
        Math.min(nanos, turnNanos));
  }

  /** The same with ballots that are given up after another time. */
  public OrderTiming withBallot(long nanos) {
    return new OrderTiming(
        retryNanos,
        nanos,
        maxSkewMillis,
        entriesPerSnapshot,
        patienceNanos,
        lingerNanos,
        turnNanos);
  }
}
