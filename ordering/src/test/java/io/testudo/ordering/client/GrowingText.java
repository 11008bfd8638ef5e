package io.testudo.ordering.client;

import com.google.protobuf.ByteString;

/** A text that grows by what operations say. */
final class GrowingText implements ObjectModel<String> {
  static final ObjectModel<String> MODEL = new GrowingText();

  private GrowingText() {}

  @Override
  public String initial() {
    return "";
  }

  @Override
  public Change<String> apply(String state, ByteString operation) {
    return new Change<>(replay(state, operation), operation, operation);
  }

  @Override
  public String replay(String state, ByteString effect) {
    return state + effect.toStringUtf8();
  }

  @Override
  public ByteString encode(String state) {
    return ByteString.copyFromUtf8(state);
  }

  @Override
  public String decode(ByteString state) {
    return state.toStringUtf8();
  }
}
