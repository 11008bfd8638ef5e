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
import io.testudo.ordering.log.TypeLabel;
import io.testudo.ordering.message.Entries;
import io.testudo.ordering.message.Missing;
import io.testudo.ordering.message.ObjectList;
import io.testudo.ordering.message.Propose;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Shares;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one server keeps of one object. */
final class ServedObject {
  /** Branches that nobody chose are dropped when they may have so many bytes. */
  static final long MAX_BRANCH_BYTES = 8 << 20;

  /** No more than this is kept of a deleted object, once a snapshot stands for its past. */
  static final long MAX_TOMBSTONE_BYTES = 8 << 10;

  /** So many short entries that take nothing but room may go beyond the quota. */
  private static final int MOST_OVERDRAFTS = 8;

  private static final int OVERDRAFT_BYTES = 1 << 10;

  final String name;
  final History history;

  /** What is known of the memories that others have of it. */
  final MemoryEpochs epochs = new MemoryEpochs();

  Rank rank = Rank.NONE;
  Optional<Seal> rankSeal = Optional.empty();
  @Nullable Statement proposed;
  @Nullable Statement committed;
  private Sessions sessions = new Sessions();
  final PendingOperations pending;
  final Tenure tenure = new Tenure();

  /** Of what is kept; pending operations count apart. */
  final Quota quota;

  /** What the past took when it was last without branches. */
  private long tidyBytes;

  /** Entries beyond the quota since the last snapshot. */
  private int overdrafts;

  /** The number of its type, as the bytes of the last commit say; a hint for people. */
  private int type = TypeLabel.UNKNOWN;

  /** Whether it is counted as one that was deleted. */
  boolean isTombstone;

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
    this.pending = new PendingOperations(pendingBytes);
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
  StateId newestState() {
    return proposed != null ? proposed.state() : committedState();
  }

  /** What leads from there to the newest state, if it is short. */
  List<Entry> entriesAfter(StateId known) {
    return Entries.ifShort(
        history.path(known, newestState(), Propose.MAX_ENTRIES, Entries.MAX_BYTES_BESIDE));
  }

  /** What it takes to look for a short way, also in vain, as bytes of an answer. */
  long bytesToLook(StateId from, StateId to) {
    long versions = Math.max(0, to.version() - from.version());
    return versions > Propose.MAX_ENTRIES
        ? 0
        : Entry.ROW_BYTES * Math.min(versions, history.entries());
  }

  /** What it takes to go back from a state to the last commit, as bytes of an answer. */
  long bytesBetweenCommitAnd(StateId state) {
    long versions = Math.max(0, state.version() - committedState().version());
    return Entry.ROW_BYTES * Math.min(versions, history.entries());
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
        || (!quota.hasRoomFor(keptBytes() + more) && mayBeUntidy())) {
      tidy(entry.before());
    }
    return (quota.take(keptBytes() + more) || overdraws(entry, more)) && history.add(entry);
  }

  /** Where there is no room left, objects can still be deleted. */
  private boolean overdraws(Entry entry, long more) {
    if (overdrafts >= MOST_OVERDRAFTS
        || entry.body().size() > OVERDRAFT_BYTES
        || !bodyOf(entry).done().stream().allMatch(it -> it.deletes() || it.effect().isEmpty())) {
      return false;
    }
    overdrafts++;
    quota.settle(keptBytes() + more);
    return true;
  }

  /** Whether nothing is there, nothing is under way, and little is left of what was. */
  boolean isBuried() {
    return sessions.isAbsent()
        && committed != null
        && newestVersion() == committedState().version()
        && keptBytes() <= MAX_TOMBSTONE_BYTES;
  }

  /** Whether the last commit deleted it, or nothing has changed since or ever. */
  boolean isAbsent() {
    return sessions.isAbsent();
  }

  /**
   * Whether branches may be an eighth of the past. To look for them takes as long as the past is:
   * who has no room left would have us do so for each entry.
   */
  private boolean mayBeUntidy() {
    return historyBytes() - tidyBytes >= tidyBytes / 8;
  }

  /** What is kept of states and of what led to them. */
  long keptBytes() {
    return historyBytes() + history.snapshot().map(it -> it.body().size()).orElse(0);
  }

  private long historyBytes() {
    return history.bytes() + Entry.ROW_BYTES * history.entries();
  }

  /** What is kept here, in bytes; about. */
  long memoryBytes() {
    return Entry.ROW_BYTES + keptBytes() + pending.bytes();
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
        type = TypeLabel.after(type, done.effect());
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
    pending.those(sessions::isExpired).forEach(id -> finish(id, finished));
  }

  private void finish(OpId id, List<Finished> finished) {
    PendingOperations.Pending waiting = pending.remove(id);
    Sessions.Outcome outcome = sessions.outcome(id);
    if (waiting != null && (outcome == null || !waiting.isTold())) {
      finished.add(new Finished(waiting.submitter(), id, outcome));
    }
  }

  /** What an operation of a client came to, in a version that was accepted. */
  record Contained(StateId state, EntryBody.Done done) {}

  /** Whether a proposal goes on from the one before it: then each entry is news once. */
  static boolean goesOn(@Nullable Statement before, Statement proposal) {
    return before != null
        && before.rank().equals(proposal.rank())
        && !before.state().equals(proposal.state());
  }

  /**
   * What leads to the present proposal and not to the one before it, or from the last commit if it
   * is the same again or of another rank; nothing if that is much: it is told with the commit.
   *
   * @param before what was accepted last
   */
  List<Entry> newlyProposed(@Nullable Statement before, Statement proposal) {
    StateId since =
        goesOn(before, proposal) ? Objects.requireNonNull(before).state() : committedState();
    return history
        .path(since, proposal.state(), Propose.MAX_ENTRIES, MAX_BRANCH_BYTES)
        .orElse(List.of());
  }

  /** The operations in some entries. */
  static List<Contained> contained(List<Entry> entries) {
    List<Contained> all = new ArrayList<>();
    for (Entry entry : entries) {
      bodyOf(entry).done().forEach(done -> all.add(new Contained(entry.state(), done)));
    }
    return all;
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
    overdrafts = 0;
    if (history.holds(snapshot.state())) {
      history.install(snapshot);
    } else {
      history.restart(snapshot);
    }
    if (snapshot.state().version() > committedState().version() || committed == null) {
      committed = snapshot.commit();
      sessions = sessionsOf(snapshot);
      type = typeOf(snapshot);
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
      return Sessions.readFrom(SnapshotBody.of(Bytes.EMPTY)); // Something is there, whatever it is.
    }
  }

  private static int typeOf(LogSnapshot snapshot) {
    try {
      return TypeLabel.ofState(SnapshotBody.read(snapshot.body()).state());
    } catch (IllegalArgumentException e) {
      return TypeLabel.UNKNOWN;
    }
  }

  /** What a list shows of its last commit. */
  ObjectList.Item listedCommit() {
    return listed(committedState().version());
  }

  /** What a list shows of it: the newest version, chosen or not. */
  ObjectList.Item listedNewest() {
    return listed(newestVersion());
  }

  private ObjectList.Item listed(long version) {
    boolean isGone = isAbsent() && version == committedState().version();
    return new ObjectList.Item(
        name, version, isGone ? TypeLabel.UNKNOWN : type, keptBytes(), isGone);
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
