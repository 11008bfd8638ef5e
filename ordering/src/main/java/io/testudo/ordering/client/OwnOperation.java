package io.testudo.ordering.client;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Tally;
import io.testudo.quorum.protocol.CallId;
import java.util.ArrayList;
import java.util.List;

/** An operation of this client that is not done yet. */
final class OwnOperation {
  static final long NEVER = Long.MIN_VALUE;

  /** Sealed when others are to order it: what we order ourselves needs no seal of its own. */
  SubmittedOperation operation;

  final CallId<OperationResult> call;

  /** What servers say came of it. */
  final Tally<Digest> answers;

  /** Those that have accepted a proposal with it, by what they say of that. */
  final Inclusions inclusions = new Inclusions();

  /** Those who asked again what came of it. */
  final List<CallId<OperationFate>> askers = new ArrayList<>();

  /** Those that say it cannot happen any more. */
  ServerSet expiredAt = ServerSet.none();

  /** When it was first sent to servers for others to order. */
  long submittedNanos = NEVER;

  /** Whether we lost patience, and handed it over once more. */
  boolean wasSubmittedAgain;

  /** Those that it was sent to. */
  ServerSet submittedTo = ServerSet.none();

  /** Whether the caller still wants to hear of it. */
  boolean wanted = true;

  OwnOperation(SubmittedOperation operation, CallId<OperationResult> call, int servers) {
    this.operation = operation;
    this.call = call;
    this.answers = new Tally<>(servers);
  }
}
