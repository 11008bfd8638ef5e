package io.testudo.ordering.client;

import io.testudo.mutex.protocol.Held;
import io.testudo.ordering.log.Rank;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether it is a client's turn to order an object, or somebody else's. */
final class Turn {
  /** Somebody else orders: our operations were submitted, and we wait for their results. */
  boolean follows;

  /** Until when. */
  long patientUntilNanos = OwnOperation.NEVER;

  /** The highest rank of those who were said to have the tenure. */
  private Rank holder = Rank.NONE;

  /** Those who say that nobody orders, while we wait for somebody to. */
  ServerSet unattended = ServerSet.none();

  /** When they were last believed. */
  long believedNanos = OwnOperation.NEVER;

  /** We have asked for the lock. */
  @Nullable CallId<Held> asking;

  /** We have the lock. */
  @Nullable Held held;

  /** When we last asked for the lock in vain. */
  long lockFailedNanos = OwnOperation.NEVER;

  /** How often in a row we began anew with the lock, though others had come between. */
  int restarts;

  /** Those that were sent something, and so know where to reach us. */
  ServerSet introduced = ServerSet.none();

  /** We waited long enough: the next ballot makes no way for whom we waited. */
  boolean isImpatient;

  /** How often in a row we got no further. */
  int failures;

  /** A ballot failed, and the next one waits for a while. */
  boolean sleeps;

  /** How long it takes until there is something to order again, and when there was last. */
  final SmoothedTime gaps = new SmoothedTime();

  long workedNanos = OwnOperation.NEVER;

  /** Whether we wait for others, and so begin nothing ourselves. */
  boolean waits() {
    return sleeps || (held == null && !isImpatient && (follows || asking != null));
  }

  /** Somebody is said to have the tenure. */
  void hear(Rank other) {
    holder = holder.isBelow(other) ? other : holder;
  }

  /** Whether a ballot of ours makes way for others that order, but for who is displaced. */
  boolean isCourteous() {
    return held == null && (!isImpatient || displaced().isPresent());
  }

  /** Whom we do not wait for any more. */
  Optional<Rank> displaced() {
    return isImpatient && !holder.equals(Rank.NONE) ? Optional.of(holder) : Optional.empty();
  }

  /** It is ours: we have ordered something. */
  void taken() {
    failures = 0;
    restarts = 0;
    follows = false;
    isImpatient = false;
    holder = Rank.NONE;
  }
}
