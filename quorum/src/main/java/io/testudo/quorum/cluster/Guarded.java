package io.testudo.quorum.cluster;

import io.testudo.quorum.Right;

/**
 * A message that needs a right. The server's gateway asks {@link Rights} with the principal of the
 * connection before the protocol sees the message.
 */
public interface Guarded {
  /** The right that the sender needs. */
  Right right();

  /** The lock or object for which it is needed. */
  String name();

  /** Whether these rights let a principal send it. */
  default boolean isAllowed(Rights rights, String principal) {
    return rights.allows(principal, right(), name());
  }
}
