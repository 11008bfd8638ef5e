package io.testudo.bench.results;

/** A file is not what a bench wrote. The message is a part of a sentence that says where. */
public final class ResultsException extends Exception {
  private static final long serialVersionUID = 1L;

  ResultsException(String message) {
    super(message);
  }

  ResultsException(String message, Throwable cause) {
    super(message, cause);
  }
}
