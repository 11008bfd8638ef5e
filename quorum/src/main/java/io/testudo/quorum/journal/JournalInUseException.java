package io.testudo.quorum.journal;

/** Another process, or another part of this one, works on the journal: nothing is wrong with it. */
public final class JournalInUseException extends JournalException {
  private static final long serialVersionUID = 1L;

  JournalInUseException(String message) {
    super(message);
  }
}
