package io.testudo.quorum.runtime;

import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Input;
import java.util.List;

/**
 * Sees what goes on in a {@link Host}: for metrics, traces and checkers. All calls come from the
 * host's loop.
 *
 * @param <P> how the machine names its peers
 */
public interface HostListener<P> {
  /** A step was made. None of its effects has been carried out yet. */
  default void stepped(Input<P> input, List<Effect<P>> effects) {}

  /** The machine tells something unasked. */
  default void told(Event event) {}

  /**
   * An input was turned away because too many effects wait for the disk, or because the machine is
   * being restored.
   */
  default void overloaded(Input<P> input) {}

  /**
   * The machine threw on a peer's message. Nothing of the step was carried out; a fresh machine
   * takes up what is on the disk. Who said it should not be listened to for a while.
   */
  default void faulted(Input.Received<P> input, RuntimeException fault) {}

  /**
   * Our own code failed, or there was an {@link Error}; the host has stopped and carries nothing
   * out any more. What is on the disk holds, so the process should end and start again.
   */
  void broken(Throwable cause);
}
