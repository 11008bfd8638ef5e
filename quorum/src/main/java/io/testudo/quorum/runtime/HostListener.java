package io.testudo.quorum.runtime;

import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import java.util.List;

/**
 * Sees what goes on in a {@link Host}: for metrics, traces and checkers. All calls come from the
 * host's loop.
 *
 * @param <P> how the half names its peers
 */
public interface HostListener<P> {
  /** A step was made. None of its effects has been carried out yet. */
  default void stepped(Input<P> input, List<Effect<P>> effects) {}

  /** The half tells something unasked. */
  default void told(Event event) {}

  /** An input was turned away because too many effects wait for the disk. */
  default void overloaded(Input<P> input) {}

  /**
   * Our own code broke one of its invariants; the host has stopped. A peer cannot cause this by
   * anything it says.
   */
  void broken(RuntimeException cause);
}
