package io.testudo.quorum.journal;

import java.io.IOException;

/** A journal can't be used; the message names it, says what is wrong and what to do. */
public class JournalException extends IOException {
  private static final long serialVersionUID = 1L;

  JournalException(String message) {
    super(message);
  }

  JournalException(String message, Throwable cause) {
    super(message, cause);
  }
}
