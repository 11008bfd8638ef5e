package io.testudo.ordering;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/**
 * The object was written by another type, or by a later version of the type. This client can
 * neither read nor change it, and leaves it as it is.
 */
public final class ObjectTypeException extends TestudoException {
  private static final long serialVersionUID = 1L;

  public ObjectTypeException(String object, String why, Outcome outcome) {
    super("Object '%s' cannot be read here: %s".formatted(object, why), outcome);
  }
}
