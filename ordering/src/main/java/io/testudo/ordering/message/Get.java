package io.testudo.ordering.message;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.quorum.Right;
import io.testudo.quorum.cluster.Guarded;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;

/**
 * Client to server: what do you know? With a rank it begins a ballot, and everything below that
 * rank is refused from then on; with {@link Rank#NONE} it is only a question.
 *
 * @param nonce comes back in the answer
 * @param seal on the rank
 * @param known what the client has, if the server is to send what came after
 * @param courteous whether to leave the rank alone and say so if another client has the tenure
 * @param lost servers that said that their memory of the object begins anew, to be remembered with
 *     the rank
 * @param displaced the rank of a holder that was waited for in vain: courtesy is owed to higher
 *     ones only
 */
public record Get(
    String object,
    long nonce,
    Rank rank,
    Optional<Seal> seal,
    Optional<StateId> known,
    boolean courteous,
    List<MemoryEpoch> lost,
    Optional<Rank> displaced)
    implements Message, Guarded {
  public Get {
    lost = List.copyOf(lost);
  }

  /** Names no server that lost its memory, and displaces nobody. */
  public Get(
      String object,
      long nonce,
      Rank rank,
      Optional<Seal> seal,
      Optional<StateId> known,
      boolean courteous) {
    this(object, nonce, rank, seal, known, courteous, List.of(), Optional.empty());
  }

  /** Whether the holder of this rank keeps its tenure. */
  public boolean makesWayFor(Rank holder) {
    return courteous && displaced.map(gone -> gone.isBelow(holder)).orElse(true);
  }

  @Override
  public Right right() {
    return rank.equals(Rank.NONE) ? Right.READ : Right.ORDER;
  }

  @Override
  public String name() {
    return object;
  }
}
