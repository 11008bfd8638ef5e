package io.testudo.node.demo;

import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.sim.liar.Plot;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Whether one server lies now, and how. It outlives restarts of the server. Any thread may ask. */
final class Mood {
  private final LongAdder lies = new LongAdder();
  private volatile @Nullable Plan plan;

  /**
   * A time of lies.
   *
   * @param plot the same for those who lie together
   */
  record Plan(LieKind kind, Plot plot) {}

  void lie(LieKind kind, Plot plot) {
    plan = new Plan(kind, plot);
  }

  void beHonest() {
    plan = null;
  }

  /** Null while it is honest. A later plan is another object. */
  @Nullable Plan plan() {
    return plan;
  }

  void lieTold() {
    lies.increment();
  }

  /** How often it said what it would not have said, or kept silent where it had an answer. */
  long lies() {
    return lies.sum();
  }
}
