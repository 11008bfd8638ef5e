package io.testudo.ordering.client;

import io.testudo.quorum.cluster.Rights;

/** What the lock of an object is called, by which its orderers take turns. */
final class ObjectLocks {
  private ObjectLocks() {}

  static String lockOf(String object) {
    return Rights.OBJECT_LOCKS + object;
  }

  static String objectOf(String lock) {
    return lock.substring(Rights.OBJECT_LOCKS.length());
  }
}
