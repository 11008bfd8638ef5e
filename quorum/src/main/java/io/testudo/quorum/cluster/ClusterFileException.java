package io.testudo.quorum.cluster;

import java.io.IOException;

/** A cluster file can't be used; the message names file and line, what is wrong and what to do. */
public final class ClusterFileException extends IOException {
  private static final long serialVersionUID = 1L;

  ClusterFileException(String message) {
    super(message);
  }

  ClusterFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
