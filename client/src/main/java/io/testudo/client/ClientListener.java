package io.testudo.client;

import io.testudo.mutex.LockListener;

/** Hears of a client's locks, and of servers that lied to it. It must return at once. */
public interface ClientListener extends LockListener {
  /**
   * A server said what no correct server says.
   *
   * @param server such as s0
   */
  default void suspected(String server, String reason) {}
}
