package io.testudo.quorum.channel;

/** The other end of a connection is not who it must be, or sends what no correct peer sends. */
public final class ChannelException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong, in kinds that can be counted. */
  public enum Reason {
    /** A code doesn't fit: altered, dropped or reordered, or made without the right key. */
    BAD_MAC,
    /** One of the last frames was sent again. */
    REPLAY,
    /** The principal proved itself, but the cluster knows no such principal. */
    UNKNOWN_PRINCIPAL,
    /** The other end belongs to another cluster. */
    WRONG_CLUSTER,
    /** The other end is, or looks for, another server. */
    WRONG_SERVER,
    /** The other end speaks a version of the handshake that this build does not. */
    BAD_VERSION,
    /** The message is of another security mode than this end's. */
    WRONG_MODE,
    /** The bytes are no message of the handshake. */
    MALFORMED,
    /** The message is longer than any of the handshake is. */
    OVERSIZE,
    /** A message came when none was due. */
    OUT_OF_TURN
  }

  private final Reason reason;

  public ChannelException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
