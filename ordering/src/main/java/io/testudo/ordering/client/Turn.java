package io.testudo.ordering.client;

import io.testudo.mutex.protocol.Held;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import org.jspecify.annotations.Nullable;

/** Whether it is a client's turn to order an object, or somebody else's. */
final class Turn {
  /** Somebody else orders: our operations were submitted, and we wait for their results. */
  boolean follows;

  /** Those who say that nobody orders, while we wait for somebody to. */
  ServerSet unattended = ServerSet.none();

  /** We have asked for the lock. */
  @Nullable CallId<Held> asking;

  /** We have the lock. */
  @Nullable Held held;

  /** We waited long enough: the next ballot makes way for nobody. */
  boolean isImpatient;

  /** How often in a row a ballot failed. */
  int failures;

  /** A ballot failed, and the next one waits for a while. */
  boolean sleeps;

  /** Whether we wait for others, and so begin nothing ourselves. */
  boolean waits() {
    return sleeps || (held == null && !isImpatient && (follows || asking != null));
  }

  /** Whether a ballot of ours makes way for one that is at work. */
  boolean isCourteous() {
    return held == null && !isImpatient;
  }
}
