package io.testudo.quorum.channel;

import io.testudo.quorum.channel.ChannelException.Reason;

/**
 * Whether a message of the other end is due. Each one uses up its turn before it is looked at, so
 * after a bad one there is none left and the handshake is over.
 */
final class Turns {
  private boolean due = true;

  void take() throws ChannelException {
    if (!due) {
      throw new ChannelException(
          Reason.OUT_OF_TURN, "A handshake message came after the last; close the connection.");
    }
    due = false;
  }

  /** Lets one more message come. */
  void grant() {
    due = true;
  }
}
