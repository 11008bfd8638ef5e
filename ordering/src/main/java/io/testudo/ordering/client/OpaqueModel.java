package io.testudo.ordering.client;

import io.testudo.ordering.Nothing;
import io.testudo.quorum.Bytes;

/** An object into which nobody looks: it can be stored anew as it is, and not be changed. */
enum OpaqueModel implements ObjectModel<Nothing> {
  INSTANCE;

  @Override
  public Nothing initial() {
    return Nothing.NOTHING;
  }

  @Override
  public boolean canApply(Nothing state, Bytes operation, long wallMillis) {
    return false;
  }

  @Override
  public Change<Nothing> apply(Nothing state, Bytes operation) {
    throw new UnsupportedOperationException("nothing can be applied to what is not looked into");
  }

  @Override
  public Nothing replay(Nothing state, Bytes effect) {
    return state;
  }

  @Override
  public Bytes encode(Nothing state) {
    throw new UnsupportedOperationException("a snapshot is made by who knows the state");
  }

  @Override
  public Nothing decode(Bytes state) {
    return Nothing.NOTHING;
  }
}
