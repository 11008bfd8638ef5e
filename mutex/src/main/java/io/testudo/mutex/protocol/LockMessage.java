package io.testudo.mutex.protocol;

import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;

/** What a contender sends: it needs the right to lock. */
public interface LockMessage extends Message, Guarded {
  String lock();

  @Override
  default Right right() {
    return Right.LOCK;
  }

  @Override
  default String name() {
    return lock();
  }
}
