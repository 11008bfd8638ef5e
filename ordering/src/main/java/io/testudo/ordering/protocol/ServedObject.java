package io.testudo.ordering.protocol;

import com.google.protobuf.InvalidProtocolBufferException;
import io.testudo.crypto.Seal;
import io.testudo.ordering.protocol.proto.BaseBody;
import io.testudo.ordering.protocol.proto.EntryBody;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.StateRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one server keeps of one object. */
final class ServedObject {
  /** More operations than this do not wait at one server. */
  static final int MAX_PENDING = 8_192;

  /** As many bytes of pending operations go into one message. */
  private static final int MAX_REPORTED_BYTES = 1 << 20;

  /** Branches that nobody chose are dropped when there are so many entries. */
  private static final int TIDY_ENTRIES = 1_024;

  final String name;
  final History history;
  Rank rank = Rank.NONE;
  Optional<Seal> rankSeal = Optional.empty();
  @Nullable Statement proposed;
  @Nullable Statement committed;
  private Sessions sessions = new Sessions();
  private final Map<OpId, Pending> pending = new LinkedHashMap<>();

  /** Those pending operations of which the present run was not told. */
  private final Set<OpId> news = new LinkedHashSet<>();

  static final long NEVER = Long.MIN_VALUE;

  /** When the run of the present rank was last heard of; never if it is done. */
  long workedOnNanos = NEVER;

  /** An operation that waits, and who asked for it last. */
  private record Pending(Operation operation, ClientId submitter) {}

  /** An operation that a commit contains, to be told to its submitter. */
  record Finished(ClientId submitter, OpId id, Sessions.Outcome outcome) {}

  ServedObject(String name) {
    this.name = name;
    this.history = new History(name);
  }

  StateId committedState() {
    return committed == null ? history.start() : committed.state();
  }

  Sessions.@Nullable Outcome outcome(OpId id) {
    return sessions.outcome(id);
  }

  /** Whether an operation is done, or can be no more. */
  boolean isPast(Operation operation) {
    return sessions.isPast(operation);
  }

  /** Whether an operation is numbered higher than its submitter can have come to. */
  boolean isTooFarAhead(OpId id, long nowMicros) {
    return sessions.isTooFarAhead(id, nowMicros);
  }

  /** What the numbers of new operations must be above. */
  long horizon() {
    return sessions.horizon();
  }

  /**
   * Keeps an operation until a commit contains it. One that finds no room is asked for again. One
   * that is submitted again is told again: the orderer may not have heard of it.
   */
  void pend(Operation operation, ClientId submitter) {
    if (pending.containsKey(operation.id()) || pending.size() < MAX_PENDING) {
      pending.put(operation.id(), new Pending(operation, submitter));
      news.add(operation.id());
    }
  }

  /** All pending operations, oldest first, as many as fit into a message, for a run that begins. */
  List<Operation> reportPending() {
    news.clear();
    news.addAll(pending.keySet());
    return reportNewPending();
  }

  /** Pending operations that the present run does not know, oldest first, as many as fit. */
  List<Operation> reportNewPending() {
    if (news.isEmpty()) {
      return List.of();
    }
    List<Operation> reported = new ArrayList<>();
    int bytes = 0;
    for (Iterator<OpId> ids = news.iterator(); ids.hasNext(); ) {
      Pending waiting = pending.get(ids.next());
      if (waiting != null) {
        bytes += waiting.operation().body().size();
        if (bytes > MAX_REPORTED_BYTES) {
          break;
        }
        reported.add(waiting.operation());
      }
      ids.remove();
    }
    return reported;
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
    for (Entry entry : path.get()) {
      for (EntryBody.Done done : bodyOf(entry).getDoneList()) {
        sessions.done(done, entry.version());
        OpId id = new OpId(done.getSession(), done.getSequence());
        finish(id, finished);
      }
    }
    committed = commit;
    if (history.entries() > TIDY_ENTRIES) {
      tidy();
    }
    return finished;
  }

  private void finish(OpId id, List<Finished> finished) {
    Pending waiting = pending.remove(id);
    news.remove(id);
    Sessions.Outcome outcome = sessions.outcome(id);
    if (waiting != null && outcome != null) {
      finished.add(new Finished(waiting.submitter(), id, outcome));
    }
  }

  private static EntryBody bodyOf(Entry entry) {
    try {
      return EntryBody.parseFrom(entry.body());
    } catch (InvalidProtocolBufferException e) {
      return EntryBody.getDefaultInstance(); // A client's nonsense; it does nothing.
    }
  }

  private void tidy() {
    List<StateId> wanted = new ArrayList<>();
    wanted.add(committedState());
    if (proposed != null) {
      wanted.add(proposed.state());
    }
    history.keepOnly(wanted);
  }

  /**
   * Puts a committed state in the place of what led to it. If it is ahead of us, it becomes our own
   * last commit.
   *
   * @return the operations that are done now
   */
  List<Finished> rebase(Base base) {
    List<Finished> finished = new ArrayList<>();
    if (history.holds(base.state())) {
      history.rebase(base);
    } else {
      history.restart(base);
    }
    if (base.state().version() > committedState().version() || committed == null) {
      committed = base.commit();
      sessions = sessionsOf(base);
      for (OpId id : List.copyOf(pending.keySet())) {
        if (sessions.outcome(id) != null) {
          finish(id, finished);
        }
      }
    }
    pending.values().removeIf(waiting -> sessions.isPast(waiting.operation()));
    news.retainAll(pending.keySet());
    if (proposed != null && !history.holds(proposed.state())) {
      proposed = null; // The commit speaks for it: whatever was chosen leads to the base or on.
    }
    return finished;
  }

  private static Sessions sessionsOf(Base base) {
    try {
      return Sessions.readFrom(BaseBody.parseFrom(base.body()));
    } catch (InvalidProtocolBufferException e) {
      return new Sessions();
    }
  }

  /** Everything that has to outlive a restart. */
  void snapshotTo(List<StateRecord> records) {
    if (!rank.equals(Rank.NONE)) {
      records.add(new RankKept(name, rank, rankSeal));
    }
    history.base().ifPresent(base -> records.add(new BaseKept(name, base)));
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
