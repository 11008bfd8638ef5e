package io.testudo.quorum.sim.byzantine;

import java.util.List;

/** Says what only one who knows the protocol can say: well-formed messages that are not true. */
@FunctionalInterface
public interface Forger {
  /**
   * What a liar of the given kind says at a step, in place of what was meant: to whom it likes, as
   * much as it likes, now or later. Where the kind has no meaning it says what was meant. Liars
   * that collude see the same {@link StrategyContext#agreed} and {@link StrategyContext#shared}.
   */
  List<OutgoingMessage> forge(ByzantineKind kind, HonestStep step, StrategyContext context);
}
