package io.testudo.bench.locking;

import io.testudo.bench.floor.Connections;
import io.testudo.quorum.Thresholds;

/**
 * Who asks whom for what.
 *
 * @param locks the clients take turns at; client i uses lock i modulo this
 */
record LockSetup(Thresholds thresholds, int locks, Connections connections) {
  static String lockOf(int number) {
    return LockKeys.PREFIX + "-" + number;
  }

  int lockNumber(int client) {
    return client % locks;
  }

  /** How many client processes there are, as servers see it. */
  int connected(int clients) {
    return connections == Connections.SHARED ? 1 : clients;
  }
}
