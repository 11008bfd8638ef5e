package io.testudo.quorum.netty;

import io.testudo.quorum.protocol.CallId;
import org.jspecify.annotations.Nullable;

/** A call of a {@link ClientMachine} whose answer is awaited. */
public final class OngoingCall {
  private final ClientMachine machine;

  /** Touched on the loop only, as is what follows. */
  private @Nullable CallId<?> id;

  private boolean cancelled;

  OngoingCall(ClientMachine machine) {
    this.machine = machine;
  }

  /**
   * Gives the call up, from any thread. The answer may be under way already: then the listener
   * still hears it.
   */
  public void cancel() {
    machine.cancel(this);
  }

  boolean isCancelled() {
    return cancelled;
  }

  void begun(CallId<?> begun) {
    id = begun;
  }

  /** What the host knows the call by, or null if it has not begun and now never will. */
  @Nullable CallId<?> cancelOnLoop() {
    cancelled = true;
    return id;
  }
}
