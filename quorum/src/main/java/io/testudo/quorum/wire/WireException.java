package io.testudo.quorum.wire;

/** Bytes that no correct peer of this version sends. */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong with the bytes, in kinds that can be counted. */
  public enum Fault {
    /** The frame is of a version that this build does not speak. */
    UNKNOWN_VERSION,
    /** The bytes end inside of something. */
    TRUNCATED,
    /** A length is above the maximum of its type, or of the frame. */
    OVERSIZE,
    /** A frame has more messages than one may have. */
    TOO_MANY,
    /** The bytes are no message of the stated type. */
    MALFORMED,
    /** A state record is of a type that this build does not know. */
    UNKNOWN_TYPE
  }

  private final Fault fault;

  /** Without a stack: anybody may send such bytes, and what is wrong with them says enough. */
  public WireException(Fault fault, String message) {
    super(message, null, false, false);
    this.fault = fault;
  }

  public Fault fault() {
    return fault;
  }
}
