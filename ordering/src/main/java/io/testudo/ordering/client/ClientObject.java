package io.testudo.ordering.client;

import io.testudo.crypto.Digest;
import io.testudo.ordering.client.Deliveries.LogSuffix;
import io.testudo.ordering.client.Deliveries.NotASuffixException;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.History;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Fetch;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of one object: its past, the object at the last version that was chosen, and
 * as it would be if the present proposal were; what is to be done to it; and the present ballot.
 *
 * @param <S> the state of the object
 */
final class ClientObject<S> {
  /** A batch is closed when its operations have so many bytes. */
  private static final int MAX_BATCH_BYTES = 1 << 20;

  /** The past is never longer than this: it must fit into few messages. */
  private static final int MOST_ENTRIES = 4_000;

  /** More than a snapshot and what is kept beside it. */
  private static final long LONGEST_HISTORY_BYTES = 16 << 20;

  final String name;
  private final ObjectModel<S> model;
  private final int entriesPerSnapshot;
  final History history;
  final Work work;
  private final Deliveries deliveries = new Deliveries();
  private Replica<S> chosen;

  /** Always begins at what was chosen. */
  private Tip<S> tip;

  /** What came of the operations that were chosen last: more than the state may remember. */
  private Map<OpId, Sessions.Outcome> recent = Map.of();

  private @Nullable LogSnapshot nextSnapshot;

  final List<CallId<ReadResult>> readers = new ArrayList<>();

  @Nullable Ballot ballot;

  @Nullable FastRead fastRead;

  /** Those for whom the next fast read will be. */
  final List<CallId<ReadResult>> newReaders = new ArrayList<>();

  /** Those who wait for the next one and want no more than what was published. */
  final List<CallId<ReadResult>> newPeekers = new ArrayList<>();

  /** Who waits for a server to be up to date, if anybody does. */
  @Nullable Restoring restoring;

  /** A call that waits for a server to be up to date. */
  record Restoring(CallId<Boolean> call, ServerId server) {}

  /** Whom callers want asked first that said so, by their calls. */
  final Map<Long, Access> chosenAccess = new HashMap<>();

  /** The own operations that callers wait for, by their calls. */
  final Map<Long, OwnOperation> awaited = new HashMap<>();

  /** What some readers want to know instead of the state, by their calls. */
  final Map<Long, OpId> questions = new HashMap<>();

  /** What came of operations whose callers had given up; the oldest are forgotten. */
  final LateResults late = new LateResults();

  /** Those that refuse us a right to the object. */
  final Map<Right, ServerSet> refusals = new EnumMap<>(Right.class);

  /** Those that refuse what we say because of how it is sealed. */
  ServerSet otherSeals = ServerSet.none();

  /** Those that have no room for what we want stored, and what for. */
  final Map<ServerId, Busy.Lack> noRoom = new TreeMap<>();

  /** What each server says that numbers of new operations must be above. */
  final Map<ServerId, Long> expiries = new HashMap<>();

  /** The last state that is known to be chosen, with the statement that says so. */
  @Nullable Statement lastCommit;

  /** Whether servers were told of it. */
  boolean isPublished = true;

  final Turn turn = new Turn();

  /** What servers show that we cannot check. */
  final Unproven unproven = new Unproven();

  ClientObject(String name, ObjectModel<S> model, int vouchers, int entriesPerSnapshot) {
    this.name = name;
    this.model = model;
    this.entriesPerSnapshot = entriesPerSnapshot;
    this.history = new History(name);
    this.work = new Work(vouchers);
    this.chosen = Replica.initial(model, name);
    this.tip = new Tip<>(chosen);
  }

  /** The lists of all who read. */
  List<List<CallId<ReadResult>>> allReaders() {
    List<List<CallId<ReadResult>>> all = new ArrayList<>(List.of(readers, newReaders, newPeekers));
    if (fastRead != null) {
      all.add(fastRead.readers);
      all.add(fastRead.peekers);
    }
    if (ballot != null) {
      all.add(ballot.readers);
      ballot.flight.forEach(proposal -> all.add(proposal.readers));
    }
    return all;
  }

  /** How many calls wait. */
  int callers() {
    return awaited.size() + allReaders().stream().mapToInt(List::size).sum();
  }

  boolean anybodyReads() {
    return allReaders().stream().anyMatch(list -> !list.isEmpty());
  }

  /** What came of an operation, if it is in the last chosen version. */
  Sessions.@Nullable Outcome outcomeOf(OpId id) {
    Sessions.Outcome fresh = recent.get(id);
    return fresh != null ? fresh : chosen.sessions().outcome(id);
  }

  /** What the last chosen version says of an operation. */
  OperationFate fateOf(OpId id) {
    Sessions.Outcome outcome = outcomeOf(id);
    if (outcome != null) {
      return OperationFate.of(id, outcome);
    }
    return chosen.sessions().isExpired(id)
        ? OperationFate.forgotten(id)
        : OperationFate.notSeen(id);
  }

  /** Whether an operation happened, or cannot happen any more. */
  boolean isExpired(SubmittedOperation operation) {
    return chosen.sessions().isExpired(operation);
  }

  /** Whether an operation is numbered higher than its submitter can have come to. */
  boolean isTooFarAhead(OpId id, long nowMicros) {
    return chosen.sessions().isTooFarAhead(id, nowMicros);
  }

  /**
   * Names one more operation of our own, as of a moment that may be what clocks show. Null if there
   * are no numbers left.
   */
  @Nullable OpId nextId(long session, long wallMicros) {
    work.beginAbove(chosen.sessions().expiredUpTo());
    return work.nextId(session, wallMicros);
  }

  StateId chosenState() {
    return chosen.at();
  }

  StateId tipState() {
    return tip.at();
  }

  Object chosenValue() {
    return Objects.requireNonNull(chosen.state());
  }

  boolean hasOwnWork() {
    return !work.own().isEmpty() || hasReaders() || restoring != null;
  }

  private boolean hasReaders() {
    return !readers.isEmpty() || (ballot != null && ballot.hasReaders());
  }

  boolean hasForeignWork() {
    return work.hasForeign(chosen.sessions()::isNext);
  }

  /**
   * Whether the tip has to be proposed as it is: somebody wants to read it, to learn what is done
   * or forgotten in it, or that a server has it.
   */
  boolean mustProposeTip(Mode mode) {
    return restoring != null
        || (mode.sealsStatements() && (hasReaders() || !tip.at().equals(chosen.at())));
  }

  /** Whether it is seen as of this type. */
  boolean isOf(ObjectModel<?> other) {
    return model.isSameAs(other);
  }

  /** Whether nobody would notice if it were forgotten here. */
  boolean isIdle() {
    return work.own().isEmpty() && callers() == 0 && restoring == null;
  }

  /** Whether we only hand it on. */
  boolean isOpaque() {
    return model == OpaqueModel.INSTANCE;
  }

  /** Whether it is worth while to hear of an operation of another client. */
  boolean wants(SubmittedOperation operation) {
    return !work.knows(operation.id()) && !isExpired(operation);
  }

  /** Hears of an operation of another client; see {@link Work#hear}. */
  void hear(ServerId from, SubmittedOperation operation, boolean proven) {
    work.hear(from, operation, proven, chosen.sessions());
  }

  /** What servers made us keep, in bytes; about. */
  long memoryBytes() {
    return work.memoryBytes() + history.bytes() + snapshotBytes() + deliveries.memoryBytes();
  }

  /** The proposal that would have named a snapshot is gone. */
  void forgetSnapshot() {
    nextSnapshot = null;
  }

  /** Lets the tip be this state. False if what leads to it is not here, or makes no sense. */
  boolean moveTip(StateId to) {
    if (tip.at().equals(to)) {
      return true;
    }
    Optional<List<Entry>> path = pathTo(to);
    if (path.isEmpty()) {
      return false;
    }
    Tip<S> moved = new Tip<>(chosen);
    if (!moved.replay(path.get())) {
      return false;
    }
    tip = moved;
    return true;
  }

  /**
   * What leads from the last chosen state to another. If only a snapshot does, that is chosen, too:
   * no client makes one of anything else.
   */
  private Optional<List<Entry>> pathTo(StateId to) {
    Optional<List<Entry>> path = history.path(chosen.at(), to);
    if (path.isPresent() || history.start().version() <= chosen.at().version()) {
      return path;
    }
    Optional<Replica<S>> snapshot = history.snapshot().flatMap(it -> Replica.of(model, it));
    if (snapshot.isEmpty()) {
      return Optional.empty();
    }
    chosen = snapshot.get();
    tip = new Tip<>(chosen);
    tidy();
    return history.path(chosen.at(), to);
  }

  /** Applies to the tip what is to be done; nothing if there is nothing. */
  Optional<Entry> extendTip(long wallMillis) {
    boolean isAhead = !chosen.at().equals(tip.at());
    if (isAhead && (nextSnapshot != null || isLong())) {
      return Optional
          .empty(); // A snapshot is made of what was chosen, and the next entry names it.
    }
    nextSnapshot = null;
    Optional<Digest> snapshotDigest = snapshotDue();
    Optional<Entry> entry = tip.extend(work.inOrder(), MAX_BATCH_BYTES, snapshotDigest, wallMillis);
    entry.ifPresent(history::add);
    if (entry.isEmpty()) {
      nextSnapshot = null;
    }
    return entry;
  }

  private int snapshotBytes() {
    return history.snapshot().map(snapshot -> snapshot.body().size()).orElse(0);
  }

  /** Whether a snapshot should take the place of the past. */
  private boolean isLong() {
    long entries = tip.at().version() - history.start().version();
    // A snapshot costs as much as it is large, so a large one has to wait for as much of a past;
    // what led to an object that is no more is dropped at once.
    return entries >= MOST_ENTRIES
        || chosen.sessions().isAbsentSince(history.start().version())
        || (entries >= entriesPerSnapshot && history.bytes() >= snapshotBytes() / 2)
        || history.bytes() > (1 << 20) + 2L * snapshotBytes();
  }

  /** Prepares a snapshot of the tip, if the past has grown long; only of what was chosen. */
  private Optional<Digest> snapshotDue() {
    if (!isLong()
        || lastCommit == null
        || !lastCommit.state().equals(tip.at())
        || !chosen.at().equals(tip.at())) {
      return Optional.empty();
    }
    Bytes whole;
    try {
      whole = tip.encode();
    } catch (RuntimeException e) {
      return Optional.empty(); // The application's code failed; the entries still hold it all.
    }
    if (whole.size() > LogSnapshot.MAX_BODY_BYTES) {
      return Optional.empty(); // States have a limit below that; a past may be long.
    }
    LogSnapshot snapshot = new LogSnapshot(lastCommit, whole);
    nextSnapshot = snapshot;
    return Optional.of(snapshot.digest());
  }

  /** Takes note that the tip was chosen. */
  void tipWasChosen() {
    wasChosen(tip.at());
  }

  /** Takes note that a state on the way to the tip was chosen. */
  void wasChosen(StateId state) {
    if (tip.passes(state)) {
      recent = tip.settle(state);
      tidy();
    }
  }

  /** Takes note that a state was chosen, by whomever. False if what leads to it is not here. */
  boolean settle(StateId state) {
    if (state.version() <= chosen.at().version()) {
      return true;
    }
    Optional<List<Entry>> path = pathTo(state);
    if (path.isEmpty() || !chosen.replay(path.get())) {
      return false;
    }
    StateId proposed = tip.at();
    tip = new Tip<>(chosen);
    tidy();
    if (proposed.version() > state.version() && history.path(state, proposed).isPresent()) {
      boolean unused = moveTip(proposed);
    }
    return true;
  }

  /** Forgets operations of others that are done, or can be no more. */
  private void tidy() {
    work.forgetExpired(chosen.sessions());
  }

  /**
   * Whether more is kept than servers do. Orderers make snapshots, but whoever follows them entry
   * by entry is sent none: then it has to ask as if it knew nothing.
   */
  private boolean needsASnapshot() {
    return history.entries() > 2 * MOST_ENTRIES || history.bytes() > LONGEST_HISTORY_BYTES;
  }

  /** From where on a server is to tell what it knows; nothing if it should tell no details. */
  Optional<StateId> known(StateId state) {
    if (needsASnapshot()) {
      history.keepOnly(List.of(chosen.at(), tip.at())); // Branches that were not chosen come first.
    }
    return needsASnapshot() ? Optional.empty() : Optional.of(state);
  }

  /** A snapshot that servers can take now, because the entry that names it was chosen. */
  Optional<LogSnapshot> takeSnapshot() {
    LogSnapshot due = nextSnapshot;
    nextSnapshot = null;
    if (due != null && history.holds(due.state())) {
      history.install(due);
      return Optional.of(due);
    }
    return Optional.empty();
  }

  /**
   * Takes what a server sent.
   *
   * @return false if the server sent what no correct server would
   */
  boolean learn(ServerId from, Bodies part) {
    Optional<LogSuffix> past;
    try {
      past = deliveries.take(from, part);
    } catch (NotASuffixException e) {
      return false;
    }
    if (past.isEmpty() || history.holds(part.wanted())) {
      return true;
    }
    Optional<LogSnapshot> snapshot = past.get().snapshot();
    if (snapshot.isPresent()
        && snapshot.get().state().version() > chosen.at().version()
        && !history.holds(snapshot.get().state())) {
      history.restart(snapshot.get());
    } else if (snapshot.isPresent()
        && snapshot.get().state().version() > history.start().version()
        && snapshot.get().state().version() <= chosen.at().version()
        && history.holds(snapshot.get().state())) {
      history.install(snapshot.get());
    }
    past.get().entries().forEach(history::add);
    if (history.holds(part.wanted())) {
      deliveries.got(part.wanted());
    }
    return true;
  }

  /** Has to come before a state is fetched: only what is wanted is learnt. */
  Fetch fetch(StateId state) {
    deliveries.want(state);
    return new Fetch(name, known(chosen.at()).orElse(StateId.genesis(name)), state);
  }
}
