package io.testudo.node.demo;

import io.testudo.node.turncoat.Mood;
import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.sim.liar.Plot;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The mood of one server of the demo. It outlives restarts of the server; any thread may ask. */
final class SharedMood implements Mood {
  private final LongAdder lies = new LongAdder();
  private volatile @Nullable Plan plan;

  void lie(LieKind kind, Plot plot) {
    plan = new Plan(kind, plot);
  }

  void beHonest() {
    plan = null;
  }

  @Override
  public @Nullable Plan plan() {
    return plan;
  }

  @Override
  public void lieTold() {
    lies.increment();
  }

  /** How many lies it has told. */
  long lies() {
    return lies.sum();
  }
}
