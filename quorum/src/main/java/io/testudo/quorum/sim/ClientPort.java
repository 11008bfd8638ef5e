package io.testudo.quorum.sim;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.spi.Ticker;

/** What a simulated application has in its hands: a client machine, a clock, an alarm. */
public interface ClientPort {
  ClientId self();

  /** True time, for checks; no node can read it. */
  long trueNanos();

  Entropy entropy();

  /** Whether all is well: servers that do not lie are up and reachable from now on. */
  boolean isCalm();

  /** The clocks of this client, as a real application would read them. */
  Ticker clock();

  /** Whether the wall clock is as right as servers demand. */
  default boolean isClockRight() {
    return true;
  }

  <R> Pending call(Call<R> call, CallListener<R> whenDone);

  /** A call in progress. */
  interface Pending {
    /** Gives it up. */
    void cancel();
  }

  /** Runs something later, unless this client dies before. */
  void after(long delayNanos, Runnable task);

  /** Tells the reader of a trace what the application saw. */
  void note(String what);
}
