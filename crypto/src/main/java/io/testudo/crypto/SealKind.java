package io.testudo.crypto;

/**
 * What a sealed body says. The kind is part of what is sealed: without it a liar could show a
 * proposal that was never chosen as a commit, for both have the same body.
 *
 * <p>The numbers are permanent; 5 is not in use.
 */
public enum SealKind {
  /** An operation submitted to an object. */
  OP(1),
  /** A rank, the number by which contenders for a lock are ordered. */
  RANK(2),
  /** A state proposed at a rank. */
  PROPOSE(3),
  /** A state committed at a rank. */
  COMMIT(4),
  /** A rank at which a client orders an object. A lock may have the object's name. */
  TURN(6),
  /** An operation on how long an object is there, which is for those who may order it. */
  LIFE(7);

  private final int number;

  SealKind(int number) {
    this.number = number;
  }

  /** The permanent number. */
  public int number() {
    return number;
  }
}
