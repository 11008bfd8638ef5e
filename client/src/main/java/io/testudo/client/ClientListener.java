package io.testudo.client;

import io.testudo.mutex.LockListener;
import java.util.List;

/**
 * Hears of a client's locks, of servers that lied to it, and of its files. It must return at once.
 */
public interface ClientListener extends LockListener {
  /**
   * A server said what no correct server says.
   *
   * @param server such as s0
   */
  default void suspected(String server, String reason) {}

  /**
   * The client's files have changed, and it goes on as they say.
   *
   * @param what has changed, in words for people
   */
  default void reloaded(List<String> what) {}

  /**
   * The client's files have changed, and cannot be used: they are half-written or wrong, or say
   * what cannot change while a client runs. It goes on as before, and looks again.
   */
  default void notReloaded(String reason) {}
}
