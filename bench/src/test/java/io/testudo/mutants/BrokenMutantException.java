package io.testudo.mutants;

/** A mutant that proves nothing as it stands; the message says what to mend. */
final class BrokenMutantException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenMutantException(String message) {
    super(message);
  }
}
