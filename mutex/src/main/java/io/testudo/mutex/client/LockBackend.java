package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A lock protocol where it is used: on connections to servers, or at a node of a ring. */
interface LockBackend {
  /** What options call it. */
  String name();

  /** The longest hold that it grants. */
  Duration maxHold();

  /** Why its leases have no fencing token; empty if they do. */
  Optional<String> whyUnfenced();

  /**
   * Whom requests go to where options leave it open.
   *
   * @throws IllegalArgumentException if requests cannot go to those that are wished
   */
  LockOptions.Servers resolved(LockOptions.Servers wished);

  /** The present moment on the clocks by which the machine steps. */
  Moment now();

  /**
   * Starts the machine that serves all locks.
   *
   * @param stopped hears on the loop that it knows of no lease any more
   */
  ClientMachine start(LockOptions.Servers asked, Consumer<Event> events, Runnable stopped);

  /**
   * Who hears, on the loop, that this client lacks the right to a lock, where the machine itself
   * does not see to it.
   */
  default void onNoRight(Consumer<String> listener) {}

  /** Nobody here uses the machine any more. */
  void stop(ClientMachine machine);
}
