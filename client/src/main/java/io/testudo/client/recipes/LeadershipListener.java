package io.testudo.client.recipes;

import io.testudo.mutex.Lease;
import io.testudo.quorum.TestudoException;

/**
 * Hears who leads. Calls run on threads of the client and may block.
 *
 * <p>Each call of {@link #gained} is followed by one of {@link #lost}, which does not wait for it
 * to return: a loss is told at once. This process contends again only when both have returned, so
 * what one term began is over before the next one begins here.
 */
public interface LeadershipListener {
  /** This process leads. The lease's token is the term: show it to whatever a leader writes to. */
  void gained(Lease term);

  /** It leads no longer: lost, resigned or closed. */
  void lost(Lease term);

  /** It could not contend, and will try again; for logs. */
  default void troubled(TestudoException reason) {}
}
