package io.testudo.ordering.message;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.protocol.Message;
import java.util.List;

/**
 * Server to client: it is stored.
 *
 * @param pending operations that came in meanwhile
 * @param epoch of my memory
 */
public record Accepted(
    String object,
    Rank rank,
    long version,
    Stage stage,
    List<SubmittedOperation> pending,
    long epoch)
    implements Message {
  /** What was stored. The numbers are permanent. */
  public enum Stage {
    PROPOSED(1),
    COMMITTED(2);

    private final int number;

    Stage(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    static Stage ofNumber(int number) {
      return switch (number) {
        case 1 -> PROPOSED;
        case 2 -> COMMITTED;
        default -> throw new IllegalArgumentException("there is no stage " + number);
      };
    }
  }

  public Accepted {
    pending = List.copyOf(pending);
    MemoryEpoch.check(epoch);
  }

  /** Of a server that has never lost its memory. */
  public Accepted(
      String object, Rank rank, long version, Stage stage, List<SubmittedOperation> pending) {
    this(object, rank, version, stage, pending, MemoryEpoch.FOUNDING);
  }
}
