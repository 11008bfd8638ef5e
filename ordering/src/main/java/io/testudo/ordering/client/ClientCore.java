package io.testudo.ordering.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.google.common.collect.Maps;
import io.testudo.crypto.SealKind;
import io.testudo.ordering.ResultExpiredException;
import io.testudo.ordering.UnknownOutcomeException;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.OrderSeals;
import io.testudo.ordering.message.Report;
import io.testudo.quorum.Access;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Allowance;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.DrawnQuorums;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The part of the client that the others share: its objects, what is believed, how calls end. */
final class ClientCore extends Part<ServerId> {
  /** As many forged seals of one server are looked at in a second. */
  static final int MAX_FORGED = 64;

  /** What is measured makes us so many times more patient than we are at first, at most. */
  private static final int RANGE = 10;

  record Overdue(String object, long call) implements TimerKey {}

  final Thresholds thresholds;
  final Mode mode;
  final ServerSet everyone;

  /** Whom callers want asked first that do not say so. */
  private final Access access;

  private final DrawnQuorums draws;

  final OrderTiming timing;
  final long session;
  final OrderSeals seals;
  final Entropy entropy;
  final Map<String, ClientObject<?>> objects = new HashMap<>();

  /** How many forged seals of a server are looked at, on operations and on all else. */
  final Allowance<ServerId> forgedPending = new Allowance<>(MAX_FORGED, MAX_FORGED);

  final Allowance<ServerId> forgedStatements = new Allowance<>(MAX_FORGED, MAX_FORGED);
  final Map<Long, String> objectOfCall = new HashMap<>();

  /** How long a quorum takes to answer. */
  final SmoothedTime roundTrips = new SmoothedTime();

  /** How long others take to order an operation of ours. */
  private final SmoothedTime responses = new SmoothedTime();

  ClientCore(
      Part<ServerId> client,
      Thresholds thresholds,
      Access access,
      Mode mode,
      OrderTiming timing,
      long session,
      OrderSeals seals,
      Entropy entropy) {
    super(client);
    this.thresholds = thresholds;
    this.mode = mode;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.access = access;
    this.draws = new DrawnQuorums(thresholds.quorums());
    this.timing = timing;
    this.session = session;
    this.seals = seals;
    this.entropy = entropy;
  }

  ClientObject<?> object(String name, ObjectModel<?> model) {
    return objects.computeIfAbsent(
        name,
        any -> new ClientObject<>(name, model, thresholds.vouchers(), timing.entriesPerSnapshot()));
  }

  /**
   * After which servers that have not answered are asked again, and others if not all were asked:
   * always before the ballot is given up, or the next one would ask the same servers in vain.
   */
  long retryNanos() {
    long mostNanos = Math.min(RANGE * timing.retryNanos(), timing.ballotNanos() / 2);
    return Math.min(mostNanos, Math.max(timing.retryNanos(), roundTrips.mostNanos()));
  }

  /**
   * Whether all are asked at once about an object. If one caller wants that, the others have it,
   * too; if one wants a quorum asked first, only if nobody who waits wants more.
   */
  boolean asksAll(ClientObject<?> object) {
    Map<Long, Access> chosen = object.chosenAccess;
    if (chosen.isEmpty()) {
      return access == Access.ALL;
    }
    return chosen.containsValue(Access.ALL)
        || (access == Access.ALL && chosen.size() < object.callers());
  }

  /** Those that are asked first about an object. */
  ServerSet askedFirst(ClientObject<?> object) {
    return asksAll(object) ? everyone : draws.of(object.name, now().nanos());
  }

  /** Whether one of these was late lately: others are better asked in their place. */
  boolean isOneAvoided(ServerSet asked) {
    return !draws.avoided(now().nanos()).intersect(asked).isEmpty();
  }

  /** What a ballot asked took so long. */
  void tookNanos(Ballot ballot, long nanos) {
    if (!ballot.isWidened) {
      roundTrips.measured(nanos);
    }
  }

  /** These did not answer in time, or too few of them count: from now on others are asked. */
  void areLate(ServerSet asked) {
    draws.late(asked, now().nanos());
  }

  /** These answered before others had to be asked. */
  void wereInTime(ServerSet asked) {
    if (!asked.equals(everyone)) {
      draws.inTime(asked, now().nanos());
    }
  }

  /** After which servers are asked again, or others if not all were asked. */
  long untilLateNanos(ServerSet asked) {
    return asked.equals(everyone) || !roundTrips.isKnown()
        ? retryNanos()
        : Math.min(retryNanos(), roundTrips.lateNanos());
  }

  /** We are never more patient than this. */
  long mostPatienceNanos() {
    return RANGE * timing.patienceNanos();
  }

  /** For how long others may take to order an operation before we do. */
  long patienceNanos() {
    long usualNanos = responses.isKnown() ? responses.mostNanos() : 2 * roundTrips.mostNanos();
    return usualNanos == 0
        ? timing.patienceNanos()
        : Math.min(mostPatienceNanos(), Math.max(timing.patienceNanos(), usualNanos));
  }

  ServerId pick(ServerSet servers) {
    int index = entropy.nextInt(servers.size());
    for (ServerId server : servers) {
      if (index-- == 0) {
        return server;
      }
    }
    throw new IllegalStateException("no server to pick from");
  }

  /**
   * Whether the seal of an operation decides on it. One of a key that we lack, since keys are being
   * replaced or its submitter is new, counts as where nothing is sealed: if enough servers tell of
   * it that a correct one has it from its submitter.
   */
  private boolean provesItself(ClientObject<?> object, SubmittedOperation operation) {
    return mode.sealsStatements()
        && (operation.seal().isEmpty() || seals.knows(object.name, operation));
  }

  void hearPending(ClientObject<?> object, ServerId from, List<SubmittedOperation> pending) {
    long nowMicros = MILLISECONDS.toMicros(now().wallMillis());
    for (SubmittedOperation operation : Work.inOrder(pending)) {
      if (object.isTooFarAhead(operation.id(), nowMicros) || !object.wants(operation)) {
        continue; // One far ahead, done and forgotten, would leave no numbers to others.
      }
      boolean proven =
          provesItself(object, operation)
              && checked(forgedPending, from, () -> seals.isValid(object.name, operation));
      if (proven || !provesItself(object, operation)) {
        object.hear(from, operation, proven);
      }
    }
  }

  /**
   * Checks a seal that a server shows. A signature takes long to check, and a message may hold
   * thousands: who shows forged ones is heard again after a while. Of operations, servers that are
   * correct may show forged ones, so what they say of states is counted apart.
   */
  boolean checked(Allowance<ServerId> forged, ServerId from, BooleanSupplier isValid) {
    if (!forged.hasSome(from, now().nanos())) {
      return false;
    }
    boolean valid = isValid.getAsBoolean();
    if (!valid) {
      forged.spend(from, 1, now().nanos());
    }
    return valid;
  }

  /** Whether nothing in a report is forged; what we cannot check counts if it is vouched for. */
  boolean isPlausible(ClientObject<?> object, ServerId from, Report report) {
    if (!mode.sealsStatements()) {
      return true;
    }
    // A server that has nothing proposed since its last snapshot shows the commit in its place.
    return checked(
        forgedStatements,
        from,
        () ->
            report
                    .proposed()
                    .map(
                        said ->
                            seals.isValid(SealKind.PROPOSE, object.name, said)
                                || seals.isValid(SealKind.COMMIT, object.name, said)
                                || isVouched(object, SealKind.PROPOSE, said))
                    .orElse(true)
                && report
                    .committed()
                    .map(
                        said ->
                            seals.isValid(SealKind.COMMIT, object.name, said)
                                || isVouched(object, SealKind.COMMIT, said))
                    .orElse(true));
  }

  /** What servers made us keep, in bytes; about. */
  long memoryBytes() {
    return objects.values().stream().mapToLong(ClientObject::memoryBytes).sum();
  }

  /** Whether a report shows something that we have no key to check and that nobody vouches for. */
  boolean isUnproven(ClientObject<?> object, Report report) {
    return mode.sealsStatements()
        && (isUnproven(object, SealKind.PROPOSE, report.proposed())
            || isUnproven(object, SealKind.COMMIT, report.committed()));
  }

  private boolean isUnproven(ClientObject<?> object, SealKind kind, Optional<Statement> said) {
    return said.isPresent()
        && !seals.knows(kind, object.name, said.get().seal())
        && !isVouched(object, kind, said.get());
  }

  /** A key that we lack made the seal, but a correct server has taken this from an orderer. */
  private boolean isVouched(ClientObject<?> object, SealKind kind, Statement said) {
    return !seals.knows(kind, object.name, said.seal())
        && object.unproven.isShownByMoreThan(thresholds.faults(), kind, said);
  }

  /** Answers those whose operations are in the chosen version, and those who read. */
  void finish(ClientObject<?> object, List<CallId<ReadResult>> readers) {
    settleOwn(object);
    answer(object, readers);
    readers.clear();
  }

  /** Tells callers what the last chosen version says of their operations. */
  void settleOwn(ClientObject<?> object) {
    for (OwnOperation mine : List.copyOf(object.work.own().values())) {
      Sessions.Outcome outcome = object.outcomeOf(mine.operation.id());
      if (outcome != null) {
        completeOwn(object, mine, outcome);
      } else if (object.isExpired(mine.operation)) {
        giveUpExpired(object, mine);
      }
    }
  }

  void answer(ClientObject<?> object, List<CallId<ReadResult>> readers) {
    object.refusals.clear(); // Whatever was refused is not now.
    for (CallId<ReadResult> reader : List.copyOf(readers)) {
      endCall(object, reader);
      OpId about = object.questions.remove(reader.number());
      if (about != null) {
        complete(new CallId<>(reader.number()), object.fateOf(about));
        continue;
      }
      complete(
          reader,
          new ReadResult(object.chosenState().version(), object.chosenValue(), mayOrder(object)));
    }
  }

  /** False if we lack the key: then we can only read what others have finished. */
  boolean mayOrder(ClientObject<?> object) {
    return !mode.sealsRanks() || seals.canSeal(SealKind.TURN, object.name);
  }

  void completeOwn(ClientObject<?> object, OwnOperation mine, Sessions.Outcome outcome) {
    OpId id = mine.operation.id();
    object.work.own().remove(id);
    object.refusals.clear();
    object.otherSeals = ServerSet.none();
    object.noRoom.clear();
    if (mine.submittedNanos != OwnOperation.NEVER) {
      responses.measured(now().nanos() - mine.submittedNanos);
    }
    for (CallId<OperationFate> asker : mine.askers) {
      endCall(object, asker);
      complete(asker, OperationFate.of(id, outcome));
    }
    if (!mine.wanted) {
      object.late.put(id, outcome);
      return;
    }
    endCall(object, mine.call);
    if (outcome.result().isPresent()) {
      complete(mine.call, new OperationResult(id, outcome.version(), outcome.result().get()));
    } else {
      fail(mine.call, new ResultExpiredException(object.name, id.toOperationId()));
    }
  }

  /** It waited for so long that its session was forgotten: done or not, it will not be done now. */
  void giveUpExpired(ClientObject<?> object, OwnOperation mine) {
    OpId id = mine.operation.id();
    object.work.own().remove(id);
    for (CallId<OperationFate> asker : mine.askers) {
      endCall(object, asker);
      complete(asker, OperationFate.forgotten(id));
    }
    if (mine.wanted) {
      endCall(object, mine.call);
      fail(mine.call, new UnknownOutcomeException(object.name, id.toOperationId()));
    }
  }

  /**
   * Nobody is to order an operation of ours, nor those behind it. Whether some servers took it
   * nobody knows; numbers go on above it.
   */
  void giveUpRefused(ClientObject<?> object, OwnOperation mine) {
    NotAllowedException reason =
        new NotAllowedException(object.name, mine.operation.right(), Outcome.UNKNOWN);
    object.work.own().remove(mine.operation.id());
    for (CallId<OperationFate> asker : mine.askers) {
      endCall(object, asker);
      fail(asker, reason);
    }
    if (mine.wanted) {
      endCall(object, mine.call);
      fail(mine.call, reason);
    }
  }

  /** With what servers say that they have no room for. */
  static UnknownOutcomeException unknownOutcome(ClientObject<?> object, OpId id) {
    Map<ServerId, String> reasons = Maps.transformValues(object.noRoom, Busy.Lack::words);
    return new UnknownOutcomeException(object.name, id.toOperationId(), reasons);
  }

  void endCall(ClientObject<?> object, CallId<?> call) {
    objectOfCall.remove(call.number());
    object.awaited.remove(call.number());
    object.chosenAccess.remove(call.number());
    cancelTimer(new Overdue(object.name, call.number()));
  }
}
