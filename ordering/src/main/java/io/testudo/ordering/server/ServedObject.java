package io.testudo.ordering.server;

import io.testudo.crypto.Seal;
import io.testudo.ordering.log.CommitKept;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.EntryKept;
import io.testudo.ordering.log.EpochKept;
import io.testudo.ordering.log.History;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.MakerKept;
import io.testudo.ordering.log.MemoryEpochs;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.ProposalKept;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.RankKept;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.SnapshotBody;
import io.testudo.ordering.log.SnapshotKept;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Entries;
import io.testudo.ordering.message.Missing;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one server keeps of one object. */
final class ServedObject {
  /** More operations than this do not wait at one server for one object. */
  static final int MAX_PENDING = 8_192;

  /** Who has not submitted an operation again for so long has given it up. */
  static final long PENDING_NANOS = 60_000_000_000L;

  /** As many bytes of pending operations go into one message. */
  private static final int MAX_REPORTED_BYTES = 1 << 20;

  /** Branches that nobody chose are dropped when they may have so many bytes. */
  static final long MAX_BRANCH_BYTES = 8 << 20;

  final String name;
  final History history;

  /** What is known of the memories that others have of it. */
  final MemoryEpochs epochs = new MemoryEpochs();

  Rank rank = Rank.NONE;
  Optional<Seal> rankSeal = Optional.empty();
  @Nullable Statement proposed;
  @Nullable Statement committed;
  private Sessions sessions = new Sessions();
  private final Map<OpId, Pending> pending = new LinkedHashMap<>();

  /** Those pending operations of which the present ballot was not told. */
  private final Set<OpId> news = new LinkedHashSet<>();

  static final long NEVER = Long.MIN_VALUE;

  /** When the ballot of the present rank was last heard of; never if it is done. */
  long workedOnNanos = NEVER;

  /** What pending operations take, by principals, here and of all objects. */
  private final Shares slots = new Shares(MAX_PENDING);

  private final Shares pendingBytes;

  /** Of what is kept; pending operations count apart. */
  final Quota quota;

  /** What the past took when it was last without branches. */
  private long tidyBytes;

  /** An operation that waits, who asked for it last, and when. */
  private record Pending(SubmittedOperation operation, ClientId submitter, long sinceNanos) {
    long bytes() {
      return Entry.ROW_BYTES + operation.body().size();
    }
  }

  /**
   * An operation to be told to its submitter, because a commit contains it.
   *
   * @param outcome null if it can be in none any more
   */
  record Finished(ClientId submitter, OpId id, Sessions.@Nullable Outcome outcome) {}

  /**
   * An object of which nothing is known.
   *
   * @param pendingBytes what pending operations of all objects may take, by principals
   */
  ServedObject(String name, Shares pendingBytes, Quota quota) {
    this.name = name;
    this.history = new History(name);
    this.pendingBytes = pendingBytes;
    this.quota = quota;
  }

  StateId committedState() {
    return committed == null ? history.start() : committed.state();
  }

  /** Whether a commit is newer than the last one, or shows it with a higher rank. */
  boolean isNews(Statement commit) {
    StateId last = committedState();
    return commit.state().version() > last.version()
        || (commit.state().equals(last)
            && committed != null
            && committed.rank().isBelow(commit.rank()));
  }

  /** The newest state here, chosen or not. */
  private StateId newestState() {
    return proposed != null ? proposed.state() : committedState();
  }

  /** What leads from there to the newest state, if it is short. */
  List<Entry> entriesAfter(StateId known) {
    return Entries.ifShort(history.path(known, newestState()));
  }

  /** What to say if a state that is to be stored does not follow from what is here. */
  Missing missing(Statement wanted) {
    return new Missing(name, wanted.rank(), wanted.state(), newestState());
  }

  Sessions.@Nullable Outcome outcome(OpId id) {
    return sessions.outcome(id);
  }

  /** Whether an operation is done, or can be no more. */
  boolean isExpired(SubmittedOperation operation) {
    return sessions.isExpired(operation);
  }

  /** Whether an operation is numbered higher than its submitter can have come to. */
  boolean isTooFarAhead(OpId id, long nowMicros) {
    return sessions.isTooFarAhead(id, nowMicros);
  }

  /** What the numbers of new operations must be above. */
  long expiredUpTo() {
    return sessions.expiredUpTo();
  }

  /**
   * Keeps an operation until a commit contains it, or until its submitter does not ask for it any
   * more. One that finds no room is asked for again. One that is submitted again is told again: the
   * orderer may not have heard of it.
   */
  void pend(SubmittedOperation operation, ClientId submitter, long nowNanos) {
    OpId id = operation.id();
    Pending unused = unpend(id);
    dropAbandoned(nowNanos);
    Pending waiting = new Pending(operation, submitter, nowNanos);
    String owner = submitter.principal();
    if (!slots.take(owner, 1)) {
      return;
    }
    if (!pendingBytes.take(owner, waiting.bytes())) {
      slots.giveBack(owner, 1);
      return;
    }
    pending.put(id, waiting);
    news.add(id);
  }

  private @Nullable Pending unpend(OpId id) {
    Pending waiting = pending.remove(id);
    news.remove(id);
    if (waiting != null) {
      slots.giveBack(waiting.submitter().principal(), 1);
      pendingBytes.giveBack(waiting.submitter().principal(), waiting.bytes());
    }
    return waiting;
  }

  /** They are in the order in which they were last asked for. */
  private void dropAbandoned(long nowNanos) {
    while (!pending.isEmpty()) {
      Map.Entry<OpId, Pending> oldest = pending.entrySet().iterator().next();
      if (nowNanos - oldest.getValue().sinceNanos() < PENDING_NANOS) {
        return;
      }
      Pending unused = unpend(oldest.getKey());
    }
  }

  /** All pending operations, as many as fit into a message, for a ballot that begins. */
  List<SubmittedOperation> reportPending() {
    news.clear();
    news.addAll(pending.keySet());
    return reportNewPending();
  }

  /**
   * Pending operations that the present ballot does not know, as many as fit: of each principal in
   * turn, short ones first, so that nobody's are behind all of another's.
   */
  List<SubmittedOperation> reportNewPending() {
    if (news.isEmpty()) {
      return List.of();
    }
    Map<String, Deque<SubmittedOperation>> byOwner = new LinkedHashMap<>();
    for (OpId id : news) {
      Pending waiting = Objects.requireNonNull(pending.get(id));
      byOwner
          .computeIfAbsent(waiting.submitter().principal(), any -> new ArrayDeque<>())
          .add(waiting.operation());
    }
    List<SubmittedOperation> reported = new ArrayList<>();
    Deque<Deque<SubmittedOperation>> turns = new ArrayDeque<>();
    byOwner.values().stream()
        .sorted(Comparator.comparingInt(theirs -> theirs.element().body().size()))
        .forEach(turns::add);
    long bytes = 0;
    while (!turns.isEmpty()) {
      Deque<SubmittedOperation> turn = turns.remove();
      bytes += Entry.ROW_BYTES + turn.element().body().size();
      if (bytes > MAX_REPORTED_BYTES && !reported.isEmpty()) {
        break;
      }
      reported.add(turn.remove());
      if (!turn.isEmpty()) {
        turns.add(turn);
      }
    }
    reported.forEach(operation -> news.remove(operation.id()));
    return reported;
  }

  /** Whether an entry is news, and what comes before it is held. */
  boolean lacks(Entry entry) {
    return history.holds(entry.before()) && !history.holds(entry.state());
  }

  /**
   * Takes an entry that is lacking. Branches that lead to neither the proposal, the commit nor this
   * entry go when they may have become many, or when their room is needed.
   *
   * @return whether there was room for it
   */
  boolean add(Entry entry) {
    long more = Entry.ROW_BYTES + entry.body().size();
    if (historyBytes() + more > tidyBytes + MAX_BRANCH_BYTES
        || !quota.hasRoomFor(keptBytes() + more)) {
      tidy(entry.before());
    }
    return quota.take(keptBytes() + more) && history.add(entry);
  }

  /** What is kept of states and of what led to them. */
  private long keptBytes() {
    return historyBytes() + history.snapshot().map(it -> it.body().size()).orElse(0);
  }

  private long historyBytes() {
    return history.bytes() + Entry.ROW_BYTES * history.entries();
  }

  /** What is kept here, in bytes; about. */
  long memoryBytes() {
    long waiting = pending.values().stream().mapToLong(Pending::bytes).sum();
    return Entry.ROW_BYTES + keptBytes() + waiting;
  }

  /** Whether a proposal may take the place of the one that is stored. */
  boolean takes(Statement proposal) {
    return proposed == null
        || proposal.isNewerThan(proposed)
        || (proposal.rank().equals(proposed.rank()) && proposal.state().equals(proposed.state()));
  }

  /**
   * Goes on to a commit that is newer than the last.
   *
   * @return the operations that are done now; null if the commit does not follow from the last one
   */
  @Nullable List<Finished> commit(Statement commit) {
    Optional<List<Entry>> path = history.path(committedState(), commit.state());
    if (path.isEmpty()) {
      return null;
    }
    List<Finished> finished = new ArrayList<>();
    long expiredUpTo = sessions.expiredUpTo();
    for (Entry entry : path.get()) {
      for (EntryBody.Done done : bodyOf(entry).done()) {
        sessions.done(done, entry.version());
        finish(done.id(), finished);
      }
    }
    committed = commit;
    if (sessions.expiredUpTo() > expiredUpTo) {
      dropHistory(finished);
    }
    return finished;
  }

  /** Drops operations that cannot happen any more; their submitters have to know. */
  private void dropHistory(List<Finished> finished) {
    for (Pending waiting : List.copyOf(pending.values())) {
      if (sessions.isExpired(waiting.operation())) {
        finish(waiting.operation().id(), finished);
      }
    }
  }

  private void finish(OpId id, List<Finished> finished) {
    Pending waiting = unpend(id);
    if (waiting != null) {
      finished.add(new Finished(waiting.submitter(), id, sessions.outcome(id)));
    }
  }

  private static EntryBody bodyOf(Entry entry) {
    try {
      return EntryBody.read(entry.body());
    } catch (IllegalArgumentException e) {
      return EntryBody.NOTHING; // A client's nonsense; it does nothing.
    }
  }

  /**
   * Drops branches of a past that was read from a journal. Not before all of it was read: what
   * follows may stand on any of it.
   */
  void recovered() {
    tidy(committedState());
  }

  private void tidy(StateId newest) {
    List<StateId> wanted = new ArrayList<>(List.of(committedState(), newest));
    if (proposed != null) {
      wanted.add(proposed.state());
    }
    history.keepOnly(wanted);
    tidyBytes = historyBytes();
    quota.settle(keptBytes());
  }

  /**
   * Puts a committed state in the place of what led to it. If it is ahead of us, it becomes our own
   * last commit.
   *
   * @return the operations that are done now
   */
  List<Finished> install(LogSnapshot snapshot) {
    List<Finished> finished = new ArrayList<>();
    if (history.holds(snapshot.state())) {
      history.install(snapshot);
    } else {
      history.restart(snapshot);
    }
    if (snapshot.state().version() > committedState().version() || committed == null) {
      committed = snapshot.commit();
      sessions = sessionsOf(snapshot);
    }
    dropHistory(finished);
    tidyBytes = Math.min(tidyBytes, historyBytes());
    quota.settle(keptBytes());
    if (proposed != null && !history.holds(proposed.state())) {
      // It speaks for what was accepted: whatever was chosen leads to the snapshot or on.
      proposed = snapshot.commit();
    }
    return finished;
  }

  private static Sessions sessionsOf(LogSnapshot snapshot) {
    try {
      return Sessions.readFrom(SnapshotBody.read(snapshot.body()));
    } catch (IllegalArgumentException e) {
      return new Sessions();
    }
  }

  /** Everything that has to outlive a restart. */
  void snapshotTo(List<StateRecord> records) {
    if (!quota.maker().equals(Shares.NOBODY)) {
      records.add(new MakerKept(name, quota.maker()));
    }
    if (!rank.equals(Rank.NONE)) {
      records.add(new RankKept(name, rank, rankSeal));
    }
    epochs.all().forEach(known -> records.add(new EpochKept(name, known)));
    history.snapshot().ifPresent(snapshot -> records.add(new SnapshotKept(name, snapshot)));
    history.inOrder().forEach(entry -> records.add(new EntryKept(name, entry)));
    if (proposed != null) {
      records.add(new ProposalKept(name, proposed));
    }
    if (committed != null && !committed.state().equals(history.start())) {
      records.add(new CommitKept(name, committed));
    }
  }

  /** The newest version that is kept, chosen or not; 0 of a name that was only asked for. */
  long newestVersion() {
    long committedVersion = committedState().version();
    return proposed == null
        ? committedVersion
        : Math.max(committedVersion, proposed.state().version());
  }
}
