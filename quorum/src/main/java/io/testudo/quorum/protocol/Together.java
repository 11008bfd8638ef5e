package io.testudo.quorum.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * Several machines as one: each message goes to the machine that handles it, and their records are
 * kept side by side. For places that have room for one machine only.
 *
 * @param <P> how the machines name their peers
 */
public final class Together<P> extends Machine<P> {
  private final List<Machine<P>> machines;

  /** Joins machines of which no two handle the same messages or keep the same records. */
  public Together(List<Machine<P>> machines) {
    this.machines = List.copyOf(machines);
    machines.forEach(machine -> adopt(machine, this::tell));
  }

  @Override
  public List<StateRecord> snapshot() {
    List<StateRecord> records = new ArrayList<>();
    machines.forEach(machine -> records.addAll(machine.snapshot()));
    return records;
  }
}
