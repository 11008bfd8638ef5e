package io.testudo.quorum.sim.liar;

import java.util.List;

/** Says what only one who knows the protocol can say: well-formed messages that are not true. */
@FunctionalInterface
public interface Forger {
  /**
   * What a liar of the given kind says on an occasion, in place of what was meant: to whom it
   * likes, as much as it likes, now or later. Where the kind has no meaning it says what was meant.
   * Liars that collude see the same {@link LiarDesk#plotted} and {@link LiarDesk#shared}.
   */
  List<Utterance> forge(LieKind kind, Occasion occasion, LiarDesk desk);
}
