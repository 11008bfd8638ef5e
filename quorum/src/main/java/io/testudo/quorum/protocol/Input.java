package io.testudo.quorum.protocol;

import java.util.List;

/**
 * Everything that can happen to a machine.
 *
 * @param <P> how this machine names its peers
 */
public sealed interface Input<P> {
  /** The first input of every machine, with what its journal kept (nothing on a client). */
  record Started<P>(List<StateRecord> recovered) implements Input<P> {
    public Started {
      recovered = List.copyOf(recovered);
    }

    @Override
    public String toString() {
      return "start with " + recovered;
    }
  }

  /** A message came over the authenticated channel of {@code from}. */
  record Received<P>(P from, Message message) implements Input<P> {
    @Override
    public String toString() {
      return "<- " + from + " " + message;
    }
  }

  /** A timer that this machine set, and did not cancel, is due. */
  record TimerFired<P>(TimerKey key) implements Input<P> {
    @Override
    public String toString() {
      return "timer " + key;
    }
  }

  /** The application asks for something. */
  record Called<P>(CallId<?> id, Call<?> call) implements Input<P> {
    @Override
    public String toString() {
      return "call " + id + " " + call;
    }
  }

  /** The application no longer wants the answer to a call. Late ones are ignored. */
  record Cancelled<P>(CallId<?> id) implements Input<P> {
    @Override
    public String toString() {
      return "cancel " + id;
    }
  }
}
