package io.testudo.mutex.dht.vote;

import io.testudo.mutex.dht.ReplicaKeys;

/** A logical replica of a lock. */
public record ReplicaName(String lock, int index) {
  /** Whose owner it is. */
  public long key() {
    return ReplicaKeys.of(lock, index);
  }
}
