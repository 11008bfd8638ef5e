package io.testudo.bench.measure;

/** How an operation tells that it is over. One object serves all operations of a client. */
public interface Completion {
  /**
   * The operation has what it was started for, and goes on only to clean up: its latency counts to
   * here. One that does not say so counts to {@link #done}. The rate is of whole operations.
   */
  default void reached() {}

  void done();

  /** The operation failed; the measurement ends, for its figures would not mean what they say. */
  void failed(Throwable cause);
}
