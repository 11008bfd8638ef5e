package io.testudo.quorum.protocol;

import io.testudo.quorum.TestudoException;

/**
 * Everything a machine can bring about. Effects are values: the runtime carries them out, and it
 * alone knows the order (what is to be persisted is durable before anything of the same or a later
 * step is sent, completed or told).
 *
 * @param <P> how this machine names its peers
 */
public sealed interface Effect<P> {
  /** Send a message; it may be lost. */
  record Send<P>(P to, Message message) implements Effect<P> {
    @Override
    public String toString() {
      return "-> " + to + " " + message;
    }
  }

  /** Keep a record across restarts. */
  record Persist<P>(StateRecord record) implements Effect<P> {
    @Override
    public String toString() {
      return "persist " + record;
    }
  }

  /** Wake this machine after a time; a timer with an equal key is moved. */
  record SetTimer<P>(TimerKey key, long delayNanos) implements Effect<P> {
    @Override
    public String toString() {
      return "set " + key + " " + delayNanos + " ns";
    }
  }

  /** Forget a timer, if it is set. */
  record CancelTimer<P>(TimerKey key) implements Effect<P> {
    @Override
    public String toString() {
      return "unset " + key;
    }
  }

  /** Answer a call. */
  record Complete<P>(CallId<?> id, Object result) implements Effect<P> {
    @Override
    public String toString() {
      return "complete " + id + " " + result;
    }
  }

  /** Answer a call with a failure that says whether the operation happened. */
  record Fail<P>(CallId<?> id, TestudoException reason) implements Effect<P> {
    @Override
    public String toString() {
      return "fail " + id + " " + reason.getMessage();
    }
  }

  /** Tell the surroundings something that nobody asked for. */
  record Tell<P>(Event event) implements Effect<P> {
    @Override
    public String toString() {
      return "tell " + event;
    }
  }
}
