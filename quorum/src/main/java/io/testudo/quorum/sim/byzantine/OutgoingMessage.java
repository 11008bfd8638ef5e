package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;

/** A message that a server is about to send, and how long it waits before it does. */
public record OutgoingMessage(ClientId to, Message message, long delayNanos) {
  /** Something else, to the same client. */
  public OutgoingMessage saying(Message other) {
    return new OutgoingMessage(to, other, delayNanos);
  }

  /** The same, to another client. */
  public OutgoingMessage to(ClientId other) {
    return new OutgoingMessage(other, message, delayNanos);
  }

  /** The same, so much later. */
  public OutgoingMessage later(long nanos) {
    return new OutgoingMessage(to, message, delayNanos + nanos);
  }
}
