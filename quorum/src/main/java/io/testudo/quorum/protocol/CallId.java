package io.testudo.quorum.protocol;

/**
 * One call in progress at a machine.
 *
 * @param <R> what it is answered with
 */
@SuppressWarnings("UnusedTypeParameter") // It ties a completion's type to its call's.
public record CallId<R>(long number) {
  @Override
  public String toString() {
    return "#" + number;
  }
}
