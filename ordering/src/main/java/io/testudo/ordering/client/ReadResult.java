package io.testudo.ordering.client;

/**
 * A state of an object.
 *
 * @param state of the type that the object's model has
 */
public record ReadResult(long version, Object state) {
  @Override
  public String toString() {
    return "ReadResult[v" + version + "]";
  }
}
