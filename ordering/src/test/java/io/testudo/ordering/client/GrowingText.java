package io.testudo.ordering.client;

import io.testudo.quorum.Bytes;

/** A text that grows by what operations say. */
final class GrowingText implements ObjectModel<String> {
  static final ObjectModel<String> MODEL = new GrowingText();

  private GrowingText() {}

  @Override
  public String initial() {
    return "";
  }

  @Override
  public Change<String> apply(String state, Bytes operation) {
    return new Change<>(replay(state, operation), operation, operation);
  }

  @Override
  public String replay(String state, Bytes effect) {
    return state + effect.toText();
  }

  @Override
  public Bytes encode(String state) {
    return Bytes.utf8(state);
  }

  @Override
  public String decode(Bytes state) {
    return state.toText();
  }
}
