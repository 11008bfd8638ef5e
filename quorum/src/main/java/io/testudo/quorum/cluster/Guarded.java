package io.testudo.quorum.cluster;

import io.testudo.crypto.Seal;
import io.testudo.quorum.Right;
import java.util.Optional;

/**
 * A message that needs a right. The server's gateway asks {@link Rights} with the principal of the
 * connection before the protocol sees the message.
 */
public interface Guarded {
  /** The right that the sender needs. */
  Right right();

  /** The lock or object for which it is needed. */
  String name();

  /**
   * A seal that its sender has made for it, if it has one. A server may not be able to check it,
   * but sees with what kind of key it was made.
   */
  default Optional<Seal> seal() {
    return Optional.empty();
  }

  /** Whether these rights let a principal send it. */
  default boolean isAllowed(Rights rights, String principal) {
    return rights.allows(principal, right(), name());
  }
}
