package io.testudo.mutex.backoff;

import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.protocol.Message;

/** What a contender sends: all of it needs the right to lock. */
public sealed interface LockRequest extends Message, Guarded permits Try, Prolong, GiveBack {
  String lock();

  /** Tells contenders of one process apart. */
  long contender();

  /** The time of the attempt's rank; with the session of the channel it names the attempt. */
  long time();

  @Override
  default Right right() {
    return Right.LOCK;
  }

  @Override
  default String name() {
    return lock();
  }
}
