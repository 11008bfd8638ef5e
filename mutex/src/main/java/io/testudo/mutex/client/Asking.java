package io.testudo.mutex.client;

import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;

/**
 * Something to ask of servers, in whatever way the caller then waits for the answer.
 *
 * @param <L> what is granted
 */
interface Asking<L> {
  /** Asks. The listener must not block. */
  Withdrawal start(CallListener<L> whenDone);

  /** Gives back what was granted to somebody who no longer wants it. */
  void giveBack(L granted);

  /** What to tell a caller whose time is over although there was no answer at all. */
  TestudoException notInTime();

  /** How a caller stops asking. */
  @FunctionalInterface
  interface Withdrawal {
    /** Withdraws the request. An answer may be under way: then the listener still hears it. */
    void withdraw();
  }
}
