package io.testudo.mutex.dht.vote;

/**
 * A request that waits somewhere: at a replica, at a hop, at an owner.
 *
 * @param leaseNanos how long a vote for it is to last
 * @param attempt the newest message of the request that came
 */
public record WaitingRequest(RequestId id, long leaseNanos, long attempt) {
  /** The same request, by the newer message. */
  public static WaitingRequest newer(WaitingRequest one, WaitingRequest other) {
    return one.attempt >= other.attempt ? one : other;
  }
}
