package io.testudo.bench.driver;

import java.util.concurrent.CompletionStage;

/** A lock as one caller sees it: blocking calls come from one thread, always the same. */
public interface PeerLock {
  /** Waits until the caller has it. */
  void lock() throws Exception;

  /** Gives it back, as an application would: returns when the API of the system does. */
  void unlock() throws Exception;

  /** The same without a thread that waits; from any thread. */
  default CompletionStage<?> lockAsync() {
    throw new UnsupportedOperationException("locks of this system have no asynchronous calls");
  }

  /** Gives back what {@link #lockAsync} got. */
  default CompletionStage<?> unlockAsync() {
    throw new UnsupportedOperationException("locks of this system have no asynchronous calls");
  }
}
