package io.testudo.ordering.message;

import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.protocol.Message;
import java.util.List;

/**
 * Server to whoever has the tenure of an object: operations that others have submitted since.
 *
 * @param rank of the ballot that is to order them
 */
public record Relayed(String object, Rank rank, List<SubmittedOperation> operations)
    implements Message {
  public Relayed {
    operations = List.copyOf(operations);
  }
}
