package io.testudo.node.turncoat;

import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.sim.liar.Plot;
import org.jspecify.annotations.Nullable;

/** Whether one server lies now, and how: as chance does, it comes from outside. */
public interface Mood {
  /**
   * A time of lies.
   *
   * @param plot the same for those who lie together, another for each time
   */
  record Plan(LieKind kind, Plot plot) {}

  /** Null while the server is honest. */
  @Nullable Plan plan();

  /** It said what it would not have said, or kept silent where it had an answer. */
  void lieTold();
}
