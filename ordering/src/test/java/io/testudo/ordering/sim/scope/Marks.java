package io.testudo.ordering.sim.scope;

import com.google.protobuf.ByteString;
import io.testudo.ordering.client.ObjectModel;

/**
 * A list of bytes. What an operation appends depends on how often its client had given up by then:
 * so it does something else each time it is tried.
 */
final class Marks implements ObjectModel<ByteString> {
  private int attempts;

  void nextAttempt() {
    attempts++;
  }

  @Override
  public ByteString initial() {
    return ByteString.EMPTY;
  }

  @Override
  public Change<ByteString> apply(ByteString state, ByteString operation) {
    ByteString effect = operation.concat(ByteString.copyFrom(new byte[] {(byte) attempts}));
    ByteString after = state.concat(effect);
    return new Change<>(after, after, effect);
  }

  @Override
  public ByteString replay(ByteString state, ByteString effect) {
    return state.concat(effect);
  }

  @Override
  public ByteString encode(ByteString state) {
    return state;
  }

  @Override
  public ByteString decode(ByteString state) {
    return state;
  }
}
