package io.testudo.bench.locking;

import io.testudo.bench.floor.Connections;
import io.testudo.quorum.Thresholds;

/**
 * Who asks whom for what.
 *
 * @param protocol how; each has locks of its own, since a name has one protocol
 * @param locks the clients take turns at; client i uses lock i modulo this
 */
record LockSetup(LockProtocol protocol, Thresholds thresholds, int locks, Connections connections) {
  String lockOf(int number) {
    return prefix() + number;
  }

  /** The lock of a connection, for its first words. */
  String lockOfSession(long session) {
    return prefix() + "of-" + session;
  }

  private String prefix() {
    return "%s-%s-".formatted(LockKeys.PREFIX, protocol.word());
  }

  int lockNumber(int client) {
    return client % locks;
  }

  /** How many client processes there are, as servers see it. */
  int connected(int clients) {
    return connections == Connections.SHARED ? 1 : clients;
  }
}
