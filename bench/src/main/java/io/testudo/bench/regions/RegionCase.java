package io.testudo.bench.regions;

import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Thresholds;
import org.jspecify.annotations.Nullable;

/**
 * What is measured.
 *
 * @param locks the protocol, of a lock; null for objects
 * @param mode of an object; null for locks
 * @param clients in all, in all regions by turns
 * @param sharers how many of them use one lock or object, neighbours in the turns of regions
 */
record RegionCase(
    @Nullable LockProtocol locks,
    @Nullable Mode mode,
    Thresholds thresholds,
    Placement placement,
    int clients,
    int sharers) {
  boolean isLock() {
    return locks != null;
  }

  String subject() {
    return isLock() ? "lock" : "increment";
  }

  /** The protocol or the mode. */
  String way() {
    if (locks != null) {
      return locks.name();
    }
    return thresholds.need().modeName();
  }

  @Override
  public String toString() {
    return "%s %s, %s, %d servers, %d clients, %d at one"
        .formatted(subject(), way(), placement.name(), thresholds.servers(), clients, sharers);
  }
}
