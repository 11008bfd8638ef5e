package io.testudo.bench.contention.counter;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.sim.OrderingSimulation;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong in a run, from the end of the warm-up on.
 *
 * @param name in rows and options
 * @param lie of one server; null if a client dies
 */
record CounterFault(String name, @Nullable ByzantineKind lie) {
  /** Again and again, a client dies while it orders, and another takes its place. */
  static final CounterFault HOLDER_DIES = new CounterFault("holderDies", null);

  /** Those that anybody expects. */
  static final ImmutableList<CounterFault> MAIN =
      ImmutableList.of(ofLie(ByzantineKind.SILENT), HOLDER_DIES);

  private static CounterFault ofLie(ByzantineKind lie) {
    return new CounterFault(lie.flag(), lie);
  }

  /** One server lies, in each of the ways that the simulator has for this protocol. */
  static ImmutableList<CounterFault> lies() {
    return new OrderingSimulation()
        .lies().stream().map(CounterFault::ofLie).collect(ImmutableList.toImmutableList());
  }

  static ImmutableList<CounterFault> all() {
    return ImmutableList.<CounterFault>builder().addAll(lies()).add(HOLDER_DIES).build();
  }

  static Optional<CounterFault> ofName(String name) {
    return all().stream().filter(fault -> fault.name().equals(name)).findFirst();
  }
}
