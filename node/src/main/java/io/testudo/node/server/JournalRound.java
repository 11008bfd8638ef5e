package io.testudo.node.server;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.wire.Field;
import io.testudo.quorum.wire.Schema;
import io.testudo.quorum.wire.WireType;
import io.testudo.quorum.wire.WireTypes;

/**
 * In each journal of a server: how many rounds it has taken part in, see {@link JournalRounds}.
 *
 * @param joins whether the journal is new and takes the number of the others
 */
record JournalRound(long round, boolean joins) implements StateRecord {
  /** What a journal begins with that an operator has made anew. */
  static final JournalRound JOINING = new JournalRound(0, true);

  private static final int MAX_BYTES = 16;

  /** The number is permanent. */
  static final WireType<JournalRound> TYPE =
      WireType.of(
          96,
          JournalRound.class,
          MAX_BYTES,
          Schema.of(
              Field.uint64(1, JournalRound::round),
              Field.bool(2, JournalRound::joins),
              JournalRound::new));

  static final WireTypes TYPES = WireTypes.of(TYPE);

  JournalRound {
    checkArgument(round >= 0, "the round %s is negative", round);
  }
}
