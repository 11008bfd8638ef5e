package io.testudo.quorum.sim.liar;

import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/** Says what only one who knows the protocol can say: well-formed messages that are not true. */
@FunctionalInterface
public interface Forger {
  /**
   * Turns an honest answer into a lie of the given kind, or gives nothing where the kind has no
   * meaning for this message. Liars that collude see the same {@link LiarDesk#plotted}.
   */
  Optional<Message> forge(LieKind kind, Message honest, LiarDesk desk);
}
