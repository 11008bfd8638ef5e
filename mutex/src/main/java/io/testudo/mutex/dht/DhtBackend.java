package io.testudo.mutex.dht;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.overlay.OverlayListener;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;

/**
 * A mutex on the overlay, as a part of each node: it is client, logical replica and hop at once,
 * and answers the calls of {@code io.testudo.mutex.protocol}.
 */
public interface DhtBackend extends OverlayListener {
  /** The node starts, without any memory. */
  default void start() {}

  /**
   * {@inheritDoc} Where replicas are is looked at with each message: one that went elsewhere begins
   * anew there, and what is here fades.
   */
  @Override
  default void neighboursChanged() {}

  /** The application gave a call up. */
  void cancelled(CallId<?> call);

  /**
   * By which grants of which logical replicas a lock is held here, for checks: two who hold it at
   * once must have none of the same incarnation in common.
   */
  ImmutableMap<Integer, GrantId> grants(String lock, long token, Moment now);

  /** How many entries for locks of others, as a hop or a replica, are kept here, for checks. */
  int entries();
}
