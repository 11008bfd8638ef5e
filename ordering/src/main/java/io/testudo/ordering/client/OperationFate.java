package io.testudo.ordering.client;

import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.quorum.Bytes;
import java.util.Optional;

/**
 * What came of an operation.
 *
 * @param stage how far it got
 * @param version that contains it; 0 if that is not known
 * @param result of one that is done and not forgotten
 */
public record OperationFate(OpId id, Stage stage, long version, Optional<Bytes> result) {
  /** How far an operation got. */
  public enum Stage {
    /** It is not in the state. It may wait at servers, and then it may still happen. */
    NOT_SEEN,
    /** It will not happen. Whether it did is not known any more. */
    FORGOTTEN,
    /** It happened. */
    DONE
  }

  static OperationFate of(OpId id, Sessions.Outcome outcome) {
    return new OperationFate(id, Stage.DONE, outcome.version(), outcome.result());
  }

  static OperationFate notSeen(OpId id) {
    return new OperationFate(id, Stage.NOT_SEEN, 0, Optional.empty());
  }

  static OperationFate forgotten(OpId id) {
    return new OperationFate(id, Stage.FORGOTTEN, 0, Optional.empty());
  }

  @Override
  public String toString() {
    return "OperationFate[" + id + ", " + stage + ", v" + version + "]";
  }
}
