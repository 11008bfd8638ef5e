package io.testudo.ordering;

import java.util.concurrent.CompletableFuture;

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

  /** An object whose type does not matter, to delete it or to set for how long it is there. */
  ReplicatedObject<?> any(String name);

  /** Deletes an object of any type: see {@link ReplicatedObject#delete}. */
  default CompletableFuture<Boolean> delete(String name) {
    return any(name).delete();
  }

  /**
   * Calls a listener for objects whose names start so: first for all that are there, then whenever
   * one is made, changes or is deleted. Each version of an object is told at most once, in order,
   * one call after the other; versions may be skipped, the latest is told in the end. Servers tell
   * of changes, and what more of them say than can lie counts; every few seconds the client asks
   * for a list, in case that what they told was lost.
   *
   * @param prefix of the names; the right to read must cover it
   */
  Subscription watch(String prefix, ObjectsListener listener);
}
