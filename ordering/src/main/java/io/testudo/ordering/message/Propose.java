package io.testudo.ordering.message;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.Statement;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;

/**
 * Client to server: store this state.
 *
 * @param rankSeal on the rank
 * @param entries those that lead to the state and that the server may lack
 * @param commit a state that was chosen before and is not published yet
 */
public record Propose(
    String object,
    Statement proposal,
    Optional<Seal> rankSeal,
    List<Entry> entries,
    Optional<Statement> commit)
    implements Message, Guarded {
  /** The most entries of one message. */
  public static final int MAX_ENTRIES = 4_096;

  public Propose {
    checkArgument(entries.size() <= MAX_ENTRIES, "%s entries are too many", entries.size());
    entries = List.copyOf(entries);
  }

  @Override
  public Right right() {
    return Right.ORDER;
  }

  @Override
  public String name() {
    return object;
  }

  /** Of the proposal, or else of its rank: both are made by who proposes. */
  @Override
  public Optional<Seal> seal() {
    return proposal.seal().or(() -> rankSeal);
  }
}
