package io.testudo.mutex.backoff;

import io.testudo.mutex.protocol.LockView;
import io.testudo.quorum.ClientId;

/** One who contends for a lock, as a server knows it. */
record Contender(ClientId client, long number) {
  /** As others are told of it. */
  LockView.User user() {
    return new LockView.User(client, number);
  }
}
