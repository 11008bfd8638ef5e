package io.testudo.quorum.channel;

/**
 * One end of a handshake on one connection. It starts with {@link #begin} and is fed with each
 * message of the other end until it is established; after an exception the connection must be
 * closed. Not thread-safe.
 */
public interface Handshake {
  /** The longest message of any handshake, in bytes. */
  int MAX_MESSAGE_BYTES = 512;

  /** The first bytes to send; none at the server's end. */
  byte[] begin();

  /** Takes the next message of the other end. */
  Progress receive(byte[] message) throws ChannelException;
}
