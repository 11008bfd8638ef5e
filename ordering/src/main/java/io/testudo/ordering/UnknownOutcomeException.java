package io.testudo.ordering;

import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import java.util.Map;

/**
 * The time for an operation was over before its result was known, or too many servers said that
 * they have no room for it: then {@link #reasons} names them. It may have happened, or may still
 * happen: the client goes on with it. {@link ReplicatedObject#outcomeOf} asks again, and the
 * operation is done at most once however often one asks.
 */
public final class UnknownOutcomeException extends TestudoException {
  private static final long serialVersionUID = 1L;

  private final long session;
  private final long sequence;

  public UnknownOutcomeException(String object, OperationId id) {
    this(object, id, Map.of());
  }

  /**
   * Where servers said why.
   *
   * @param reasons in words that follow the names of the servers
   */
  public UnknownOutcomeException(String object, OperationId id, Map<ServerId, String> reasons) {
    super(
        "The result of operation %s on '%s' was not known in time".formatted(id, object),
        Outcome.UNKNOWN,
        reasons);
    this.session = id.session();
    this.sequence = id.sequence();
  }

  /** What to ask again with. */
  public OperationId id() {
    return new OperationId(session, sequence);
  }
}
