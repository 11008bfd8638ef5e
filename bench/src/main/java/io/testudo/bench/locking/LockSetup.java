package io.testudo.bench.locking;

import io.testudo.bench.floor.Connections;
import io.testudo.mutex.protocol.LockProtocol;
import io.testudo.quorum.Thresholds;

/**
 * Who asks whom for what.
 *
 * @param protocol how
 * @param locks the clients take turns at; client i uses lock i modulo this
 */
record LockSetup(LockProtocol protocol, Thresholds thresholds, int locks, Connections connections) {
  /** All locks of the bench begin with it; the clients share a key for such names. */
  static final String PREFIX = "lock";

  static String lockOf(int number) {
    return PREFIX + "-" + number;
  }

  int lockNumber(int client) {
    return client % locks;
  }
}
