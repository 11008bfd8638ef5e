package io.testudo.ordering;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;
import java.util.OptionalInt;

/**
 * The object was written by another type, or by a later version of the type. This client can
 * neither read nor change it, and leaves it as it is.
 */
public final class ObjectTypeException extends TestudoException {
  private static final long serialVersionUID = 1L;

  private final int otherType;

  /**
   * Says why an object cannot be read.
   *
   * @param otherType number of the type that it is of; 0 if it is of the type it was opened with
   */
  public ObjectTypeException(String object, String why, int otherType, Outcome outcome) {
    super(
        "Object '%s' cannot be read here: %s".formatted(object, why),
        outcome,
        "open it as what it is");
    this.otherType = otherType;
  }

  /** The number of the type that the object is of, if that is not the one it was opened with. */
  public OptionalInt otherType() {
    return otherType == 0 ? OptionalInt.empty() : OptionalInt.of(otherType);
  }
}
