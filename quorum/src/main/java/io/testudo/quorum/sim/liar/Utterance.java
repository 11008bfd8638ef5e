package io.testudo.quorum.sim.liar;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;

/** A message that a server is about to send, and how long it waits before it does. */
public record Utterance(ClientId to, Message message, long delayNanos) {
  /** Something else, to the same client. */
  public Utterance saying(Message other) {
    return new Utterance(to, other, delayNanos);
  }

  /** The same, to another client. */
  public Utterance to(ClientId other) {
    return new Utterance(other, message, delayNanos);
  }

  /** The same, so much later. */
  public Utterance later(long nanos) {
    return new Utterance(to, message, delayNanos + nanos);
  }
}
