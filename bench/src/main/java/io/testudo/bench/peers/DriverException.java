package io.testudo.bench.peers;

/** A driver that did not do as told. The message is one sentence without its end. */
final class DriverException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean isOver;

  /**
   * What went wrong.
   *
   * @param isOver whether the driver is gone, else it can be told other things
   */
  DriverException(String message, boolean isOver) {
    super(message);
    this.isOver = isOver;
  }

  boolean isOver() {
    return isOver;
  }

  /** One sentence without its end. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
