package io.testudo.bench.strawman;

import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.cluster.Right;
import io.testudo.quorum.protocol.Message;

/** What a contender sends: all of it needs the right to lock. */
public sealed interface StrawmanRequest extends Message, Guarded permits Ask, Drop {
  String lock();

  /** Names the attempt within the session of its channel. */
  long attempt();

  @Override
  default Right right() {
    return Right.LOCK;
  }

  @Override
  default String name() {
    return lock();
  }
}
