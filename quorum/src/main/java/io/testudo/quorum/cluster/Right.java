package io.testudo.quorum.cluster;

import java.util.Locale;
import java.util.Optional;

/** What a principal may be allowed to do to a name. None of them implies another. */
public enum Right {
  /** Contend for the lock of this name. */
  LOCK,
  /** Read the state of the object, or who holds the lock. */
  READ,
  /** Submit operations on the object. */
  SUBMIT,
  /** Drive the ordering of submitted operations. */
  ORDER,
  /** Change who takes part, and ask servers about themselves. */
  ADMINISTER;

  /** The name by which people configure it, such as {@code lock}. */
  public String rightName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Right> named(String name) {
    for (Right right : values()) {
      if (right.rightName().equals(name)) {
        return Optional.of(right);
      }
    }
    return Optional.empty();
  }
}
