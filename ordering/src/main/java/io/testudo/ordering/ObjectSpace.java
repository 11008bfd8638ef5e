package io.testudo.ordering;

/** Where objects are found by their names. */
public interface ObjectSpace {
  /**
   * An object. It begins with the initial state of its type when the first operation on it is
   * submitted, by whomever; this call asks no server.
   *
   * @throws IllegalArgumentException if the name is too long, or this process has opened it with
   *     another type
   */
  <S> ReplicatedObject<S> open(String name, ObjectType<S> type);
}
