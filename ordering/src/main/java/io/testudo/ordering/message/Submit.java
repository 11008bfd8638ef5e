package io.testudo.ordering.message;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/** Client to server: somebody order this. Answered when a commit contains it. */
public record Submit(String object, SubmittedOperation operation) implements Message, Guarded {
  @Override
  public Right right() {
    return operation.right();
  }

  @Override
  public String name() {
    return object;
  }

  @Override
  public Optional<Seal> seal() {
    return operation.seal();
  }
}
