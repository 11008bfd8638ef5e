package io.testudo.ordering;

/** Bytes that are not what a codec writes. */
public final class MalformedValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedValueException(String problem) {
    super(problem);
  }
}
