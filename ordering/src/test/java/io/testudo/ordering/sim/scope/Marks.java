package io.testudo.ordering.sim.scope;

import io.testudo.ordering.client.ObjectModel;
import io.testudo.quorum.Bytes;

/**
 * A list of bytes. What an operation appends depends on how often its client had given up by then:
 * so it does something else each time it is tried.
 */
final class Marks implements ObjectModel<Bytes> {
  private int attempts;

  void nextAttempt() {
    attempts++;
  }

  @Override
  public Bytes initial() {
    return Bytes.EMPTY;
  }

  @Override
  public Change<Bytes> apply(Bytes state, Bytes operation) {
    Bytes effect = operation.concat(Bytes.copyOf(new byte[] {(byte) attempts}));
    Bytes after = state.concat(effect);
    return new Change<>(after, after, effect);
  }

  @Override
  public Bytes replay(Bytes state, Bytes effect) {
    return state.concat(effect);
  }

  @Override
  public Bytes encode(Bytes state) {
    return state;
  }

  @Override
  public Bytes decode(Bytes state) {
    return state;
  }
}
