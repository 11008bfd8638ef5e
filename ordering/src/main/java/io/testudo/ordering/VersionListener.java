package io.testudo.ordering;

import io.testudo.quorum.TestudoException;

/** Hears of new versions of an object. See {@link ReplicatedObject#onVersion}. */
@FunctionalInterface
public interface VersionListener<S> {
  void onVersion(Snapshot<S> snapshot);

  /** No further version will be told: the client is closed, or it cannot read the object. */
  default void onEnd(TestudoException reason) {}
}
