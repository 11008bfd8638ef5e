package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.Routings;

/**
 * What runs of a campaign have in common.
 *
 * @param plan replicas and votes
 * @param resets so many replicas of a lock may lose their memory in the time of a hold
 */
public record RingSettings(DhtBackends backend, Routings routing, ReplicaPlan plan, int resets) {
  /** Whether nothing may break. */
  public boolean isWithinBound() {
    return !backend.hasReplicas() || resets <= plan.resetsBorne();
  }
}
