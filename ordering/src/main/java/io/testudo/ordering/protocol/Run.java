package io.testudo.ordering.protocol;

import io.testudo.crypto.Seal;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One GET and everything that its client proposes at that rank. The rank is never used again after
 * a timeout or a restart.
 */
final class Run {
  /** Where a run stands. */
  enum Phase {
    /** Asking what servers know. */
    GETTING,
    /** Waiting for the bodies of the state to go on from. */
    FETCHING,
    /** Storing a state. */
    PROPOSING,
    /** Publishing it; waited for only where statements are not sealed. */
    COMMITTING,
    /** Everything is done. The next proposal needs no GET. */
    WARM
  }

  final Rank rank;
  final Optional<Seal> rankSeal;
  final long nonce;
  final Map<ServerId, Report> reports = new HashMap<>();
  Phase phase = Phase.GETTING;
  long begunNanos;

  /** The state to go on from, once it is decided. */
  @Nullable Choice choice;

  /** What is being proposed or committed. */
  @Nullable Statement statement;

  /** Whether that only completes what another began. */
  boolean isCompletion;

  /** Those who asked to read before it was sent; who asks later must be shown a later one. */
  final List<CallId<ReadResult>> readers = new ArrayList<>();

  ServerSet accepted = ServerSet.none();
  ServerSet refused = ServerSet.none();

  /**
   * Those that were sent what they said they lack; once between two ticks, however often they ask.
   */
  ServerSet helped = ServerSet.none();

  Run(Rank rank, Optional<Seal> rankSeal, long nonce, long begunNanos) {
    this.rank = rank;
    this.rankSeal = rankSeal;
    this.nonce = nonce;
    this.begunNanos = begunNanos;
  }

  Statement statement() {
    if (statement == null) {
      throw new IllegalStateException("nothing is proposed");
    }
    return statement;
  }

  void enter(Phase next, long nowNanos) {
    phase = next;
    accepted = ServerSet.none();
    helped = ServerSet.none();
    begunNanos = nowNanos;
  }
}
