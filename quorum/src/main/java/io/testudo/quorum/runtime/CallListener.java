package io.testudo.quorum.runtime;

import io.testudo.quorum.TestudoException;

/**
 * Hears how a call ended, on the host's loop.
 *
 * @param <R> what the call is answered with
 */
public interface CallListener<R> {
  void completed(R result);

  void failed(TestudoException reason);
}
