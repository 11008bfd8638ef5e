package io.testudo.ordering.message;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;

/**
 * Server to client: what I know.
 *
 * @param pending operations that wait to be ordered
 * @param entries what follows the state that the client said it has, if it asked and if I can
 * @param epoch of my memory
 * @param others the epochs in which the memories of others began anew
 */
public record Report(
    String object,
    long nonce,
    Optional<Statement> proposed,
    Optional<Statement> committed,
    List<SubmittedOperation> pending,
    List<Entry> entries,
    long epoch,
    List<MemoryEpoch> others)
    implements Message {
  public Report {
    pending = List.copyOf(pending);
    entries = List.copyOf(entries);
    others = List.copyOf(others);
    MemoryEpoch.check(epoch);
  }

  /** Of a server that has never lost its memory and knows of no other that has. */
  public Report(
      String object,
      long nonce,
      Optional<Statement> proposed,
      Optional<Statement> committed,
      List<SubmittedOperation> pending,
      List<Entry> entries) {
    this(object, nonce, proposed, committed, pending, entries, MemoryEpoch.FOUNDING, List.of());
  }

  /** The same, but of other losses. */
  public Report withOthers(List<MemoryEpoch> lost) {
    return new Report(object, nonce, proposed, committed, pending, entries, epoch, lost);
  }

  /** What is remembered of it: the rest is kept where it counts, or not at all. */
  public Report withoutBodies() {
    return new Report(object, nonce, proposed, committed, List.of(), List.of(), epoch, others);
  }
}
