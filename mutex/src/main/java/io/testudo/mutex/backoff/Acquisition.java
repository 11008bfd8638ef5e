package io.testudo.mutex.backoff;

import io.testudo.mutex.lease.LockCall;
import io.testudo.mutex.lease.LockCalls;
import io.testudo.quorum.ServerSet;
import org.jspecify.annotations.Nullable;

/** One call for a lock, from the first attempt to the end of the lease. */
final class Acquisition implements LockCalls.Acquiring {
  final LockCall call;
  final long holdNanos;

  @Nullable Attempt attempt;

  /** Whether it sleeps before the next attempt; else one is out, waits in the lists, or holds. */
  boolean isSleeping = true;

  long wakeNanos;
  int retries;
  boolean triedAgainAtOnce;

  /** How often a new rank was taken because of what may have been a lie. */
  int newRanks;

  /** Servers that did not answer the last attempt, to be avoided if that is possible. */
  ServerSet silent = ServerSet.none();

  /** All servers that answered any attempt. */
  ServerSet heardOf = ServerSet.none();

  Acquisition(LockCall call, long holdNanos) {
    this.call = call;
    this.holdNanos = holdNanos;
  }

  @Override
  public LockCall call() {
    return call;
  }

  String lock() {
    return call.lock();
  }

  Attempt attempt() {
    if (attempt == null) {
      throw new IllegalStateException("there is no attempt");
    }
    return attempt;
  }
}
