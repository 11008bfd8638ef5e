package io.testudo.node.byzantine;

import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Collusion;
import org.jspecify.annotations.Nullable;

/** Whether one server lies now, and how: as chance does, it comes from outside. */
public interface FaultSwitch {
  /**
   * A time of lies.
   *
   * @param collusion the same for those who lie together, another for each time
   */
  record Plan(ByzantineKind kind, Collusion collusion) {}

  /** Null while the server is honest. */
  @Nullable Plan plan();

  /** It said what it would not have said, or kept silent where it had an answer. */
  void lieTold();
}
