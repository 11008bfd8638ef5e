package io.testudo.ordering;

/** The argument of operations that take none, and the result of those that give none. */
public enum Nothing {
  NOTHING
}
