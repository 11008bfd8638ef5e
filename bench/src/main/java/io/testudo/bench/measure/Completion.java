package io.testudo.bench.measure;

/** How an operation tells that it is over. One object serves all operations of a client. */
public interface Completion {
  void done();

  /** The operation failed; the measurement ends, for its figures would not mean what they say. */
  void failed(Throwable cause);
}
