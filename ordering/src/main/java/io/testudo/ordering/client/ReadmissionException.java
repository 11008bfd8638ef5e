package io.testudo.ordering.client;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;

/** A server that lost its memory could not be told which objects are new. */
public final class ReadmissionException extends TestudoException {
  private static final long serialVersionUID = 1L;

  ReadmissionException(String problem, String remedy) {
    super(problem, Outcome.DID_NOT_HAPPEN, remedy);
  }
}
