package io.testudo.quorum.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * Several halves as one: each message goes to the half that handles it, and their records are kept
 * side by side. For places that have room for one half only.
 *
 * @param <P> how the halves name their peers
 */
public final class Together<P> extends Machine<P> {
  private final List<Machine<P>> halves;

  /** Joins halves of which no two handle the same messages or keep the same records. */
  public Together(List<Machine<P>> halves) {
    this.halves = List.copyOf(halves);
    halves.forEach(half -> adopt(half, this::tell));
  }

  @Override
  public List<StateRecord> snapshot() {
    List<StateRecord> records = new ArrayList<>();
    halves.forEach(half -> records.addAll(half.snapshot()));
    return records;
  }
}
