package io.testudo.ordering.client;

import com.google.protobuf.ByteString;
import io.testudo.ordering.Nothing;

/** An object into which nobody looks: it can be stored anew as it is, and not be changed. */
enum OpaqueModel implements ObjectModel<Nothing> {
  INSTANCE;

  @Override
  public Nothing initial() {
    return Nothing.NOTHING;
  }

  @Override
  public boolean canApply(Nothing state, ByteString operation) {
    return false;
  }

  @Override
  public Change<Nothing> apply(Nothing state, ByteString operation) {
    throw new UnsupportedOperationException("nothing can be applied to what is not looked into");
  }

  @Override
  public Nothing replay(Nothing state, ByteString effect) {
    return state;
  }

  @Override
  public ByteString encode(Nothing state) {
    throw new UnsupportedOperationException("a base is made by who knows the state");
  }

  @Override
  public Nothing decode(ByteString state) {
    return Nothing.NOTHING;
  }
}
