package io.testudo.bench.strawman;

import io.testudo.mutex.protocol.LockMessage;

/** What a contender sends: all of it needs the right to lock. */
public sealed interface StrawmanRequest extends LockMessage permits Ask, Drop {
  /** Names the attempt within the session of its channel. */
  long attempt();
}
