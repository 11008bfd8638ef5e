package io.testudo.ordering;

import io.testudo.quorum.TestudoException;

/** Hears of objects that come, change and go. */
@FunctionalInterface
public interface ObjectsListener {
  /** Something has happened to an object. */
  void onChange(ObjectChange change);

  /** No more will come: the client is closed, or may not read these names. */
  default void onEnd(TestudoException reason) {}
}
