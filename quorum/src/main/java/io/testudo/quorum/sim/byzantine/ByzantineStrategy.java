package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import java.util.List;

/**
 * One way to be faulty. Every hook is honest unless it is overridden, and two lies can be told at
 * once. A liar thinks with honest machines, but it may have several of them, and make them forget.
 */
public interface ByzantineStrategy {
  /**
   * Which of the liar's honest machines hears this client; each is an honest machine of its own.
   */
  default int machineFor(ClientId client, StrategyContext context) {
    return 0;
  }

  /** Whether the honest machine is changed by what it now hears; if not, it only answers. */
  default boolean remembers(StrategyContext context) {
    return true;
  }

  /** What the liar takes for the time. */
  default Moment clock(Moment honest, StrategyContext context) {
    return honest;
  }

  /**
   * What the liar says in place of what its honest machine would say: nothing, something, or much.
   */
  default List<OutgoingMessage> say(HonestStep step, StrategyContext context) {
    return step.meant();
  }

  /** What the liar puts on the wire in place of a frame. */
  default List<byte[]> write(byte[] frame, StrategyContext context) {
    return List.of(frame);
  }

  /** Both at once: this one first. */
  default ByzantineStrategy and(ByzantineStrategy other) {
    return new CombinedStrategy(this, other);
  }
}
