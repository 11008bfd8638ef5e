package io.testudo.ordering.client;

/**
 * A state of an object.
 *
 * @param state of the type that the object's model has
 * @param mayOrder whether this client has what it takes to order something on it
 */
public record ReadResult(long version, Object state, boolean mayOrder) {
  @Override
  public String toString() {
    return "ReadResult[v" + version + "]";
  }
}
