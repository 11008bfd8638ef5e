package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.LockCall;
import io.testudo.mutex.lease.LockCalls;
import io.testudo.quorum.ServerSet;

/** One call for a lock, from its request to the end of the lease. */
final class QueuedAcquisition implements LockCalls.Acquiring {
  final LockCall call;
  final Epoch epoch;

  /** Since when it has grants and cannot enter; meaningless if it does not. */
  long stuckNanos;

  boolean isStuck;

  /** How long it waits for one that has enough before it makes way, and since when. */
  long patienceNanos;

  long behindNanos;
  boolean isBehind;

  QueuedAcquisition(LockCall call, Epoch epoch) {
    this.call = call;
    this.epoch = epoch;
  }

  @Override
  public LockCall call() {
    return call;
  }

  String lock() {
    return call.lock();
  }

  /** The time of its request names an acquisition within this process. */
  long id() {
    return epoch.time;
  }

  /** The servers that said anything to it, whatever it was. */
  ServerSet heardOf() {
    return epoch.heardOf().union(call.excuses().servers());
  }
}
