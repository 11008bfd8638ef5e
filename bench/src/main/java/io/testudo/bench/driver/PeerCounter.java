package io.testudo.bench.driver;

import java.util.concurrent.CompletionStage;

/** A counter as one caller sees it. */
public interface PeerCounter {
  /** Adds one. Gives the number afterwards. */
  long increment() throws Exception;

  /** What all have counted. */
  long get() throws Exception;

  /** As {@link #increment}, without a thread that waits; from any thread. */
  default CompletionStage<Long> incrementAsync() {
    throw new UnsupportedOperationException("counters of this system have no asynchronous calls");
  }
}
