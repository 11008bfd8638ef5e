package io.testudo.quorum.sim;

/** A checker found that a promise was broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of promise. */
  public enum Kind {
    /** Something happened that must never happen. */
    SAFETY,
    /** Something did not happen although all was well. */
    LIVENESS,
    /** A machine, a check or the simulator itself failed. */
    ERROR
  }

  private final Kind kind;

  private Violation(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  private Violation(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public static Violation safety(String message) {
    return new Violation(Kind.SAFETY, message);
  }

  public static Violation liveness(String message) {
    return new Violation(Kind.LIVENESS, message);
  }

  /** An exception as a violation; one that is a violation already stays what it is. */
  public static Violation of(String where, Throwable cause) {
    return cause instanceof Violation violation
        ? violation
        : new Violation(Kind.ERROR, where + " failed: " + cause, cause);
  }

  public Kind kind() {
    return kind;
  }
}
