package io.testudo.node.demo;

import io.testudo.node.byzantine.FaultSwitch;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Collusion;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Whether one server lies, in the demo. It outlives restarts of the server; any thread may ask. */
final class SharedFaultSwitch implements FaultSwitch {
  private final LongAdder lies = new LongAdder();
  private volatile @Nullable Plan plan;

  void lie(ByzantineKind kind, Collusion collusion) {
    plan = new Plan(kind, collusion);
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
