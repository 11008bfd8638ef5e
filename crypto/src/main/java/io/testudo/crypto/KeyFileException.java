package io.testudo.crypto;

import java.io.IOException;

/** A key file can't be used; the message names the file, what is wrong and what to do. */
public final class KeyFileException extends IOException {
  private static final long serialVersionUID = 1L;

  KeyFileException(String message) {
    super(message);
  }

  KeyFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
