package io.testudo.quorum;

import java.util.Locale;
import java.util.Optional;

/** What a principal may be allowed to do to a name. None of them implies another. */
public enum Right {
  /** Contend for the lock of this name. */
  LOCK(1),
  /** Read the state of the object, or who holds the lock. */
  READ(2),
  /** Submit operations on the object. */
  SUBMIT(3),
  /** Drive the ordering of submitted operations. */
  ORDER(4),
  /** Change who takes part, and ask servers about themselves. */
  ADMINISTER(5);

  private final int number;

  Right(int number) {
    this.number = number;
  }

  /** The permanent number. */
  public int number() {
    return number;
  }

  /**
   * The right with a number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Right ofNumber(int number) {
    for (Right right : values()) {
      if (right.number == number) {
        return right;
      }
    }
    throw new IllegalArgumentException("no right has the number " + number);
  }

  /** The name by which people configure it, such as {@code lock}. */
  public String rightName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The right that people configure by this name, if there is one. */
  public static Optional<Right> named(String name) {
    for (Right right : values()) {
      if (right.rightName().equals(name)) {
        return Optional.of(right);
      }
    }
    return Optional.empty();
  }
}
