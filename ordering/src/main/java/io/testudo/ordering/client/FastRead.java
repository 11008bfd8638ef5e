package io.testudo.ordering.client;

import io.testudo.ordering.log.Choice;
import io.testudo.ordering.log.StateId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A read that asks the servers without taking part in the ordering. */
final class FastRead {
  /** After so many that found somebody at work, the slow way is taken. */
  static final int MAX_ATTEMPTS = 8;

  /** So often a quorum is asked first. Somebody who died may have left it undecided there. */
  static final int ATTEMPTS_AT_A_QUORUM = 2;

  final ReportTally tally;

  /** Those that are asked at present. */
  ServerSet asked;

  final int attempt;
  final long begunNanos;

  /** Those who asked before it began; who asks later needs another one. */
  final List<CallId<ReadResult>> readers;

  /** Those who are content with what was published. */
  final List<CallId<ReadResult>> peekers;

  /** What has to be read at least, if an earlier attempt has shown it. */
  Choice.@Nullable Target target;

  /** What is to be read, once that is known. */
  @Nullable StateId settled;

  FastRead(
      long nonce,
      long begunNanos,
      List<CallId<ReadResult>> readers,
      List<CallId<ReadResult>> peekers,
      int attempt,
      ServerSet asked) {
    this.tally = new ReportTally(nonce);
    this.attempt = attempt;
    this.asked = asked;
    this.begunNanos = begunNanos;
    this.readers = new ArrayList<>(readers);
    this.peekers = new ArrayList<>(peekers);
  }
}
