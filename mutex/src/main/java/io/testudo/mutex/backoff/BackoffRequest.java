package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockMessage;

/** What a contender sends: all of it needs the right to lock. */
public sealed interface BackoffRequest extends LockMessage permits Try, Renew, Release {
  /** Tells contenders of one process apart. */
  long contender();

  /** The time of the attempt's rank; with the session of the channel it names the attempt. */
  long time();
}
