package io.testudo.ordering.client;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object as it would be if what is being proposed were chosen: what lies ahead of a {@link
 * Replica}. It is dropped, or the replica follows it.
 *
 * @param <S> its state
 */
final class Tip<S> {
  private final Replica<S> ground;
  private StateId at;
  private S state;
  private final List<Step> done = new ArrayList<>();
  private final Map<Long, Long> executed = new HashMap<>();
  private final Map<OpId, Sessions.Outcome> outcomes = new HashMap<>();

  /** Whether a deletion is ahead of the ground. */
  private boolean deletes;

  /** The versions ahead of the ground, oldest first. */
  private final Deque<Level<S>> levels = new ArrayDeque<>();

  private record Level<S>(StateId at, S state) {}

  /** What an operation did, and the version that contains it. */
  record Step(EntryBody.Done done, long version) {}

  Tip(Replica<S> ground) {
    this.ground = ground;
    this.at = ground.at();
    this.state = ground.state();
  }

  StateId at() {
    return at;
  }

  S state() {
    return state;
  }

  /** Whether this version is ahead of the ground, and on the way here. */
  boolean passes(StateId version) {
    return levels.stream().anyMatch(level -> level.at().equals(version));
  }

  /**
   * Lets the ground come nearer, to a version on the way here. What is left is ahead of that.
   *
   * @return what came of the operations up to there
   */
  Map<OpId, Sessions.Outcome> settle(StateId reached) {
    Map<OpId, Sessions.Outcome> settled = new HashMap<>();
    int count = 0;
    while (count < done.size() && done.get(count).version() <= reached.version()) {
      count++;
    }
    List<Step> steps = List.copyOf(done.subList(0, count));
    done.subList(0, count).clear();
    deletes = deletes && done.stream().anyMatch(step -> step.done().deletes());
    for (Step step : steps) {
      OpId id = step.done().id();
      settled.put(id, Sessions.Outcome.of(step.done(), step.version()));
      outcomes.remove(id);
      executed.remove(id.session(), id.sequence());
    }
    Level<S> level = levels.remove();
    while (!level.at().equals(reached)) {
      level = levels.remove();
    }
    ground.follow(steps, level.at(), level.state());
    return settled;
  }

  private boolean isNext(SubmittedOperation operation, Map<Long, Long> inThisEntry) {
    long session = operation.id().session();
    Long ahead = inThisEntry.getOrDefault(session, executed.get(session));
    return ahead == null ? ground.sessions().isNext(operation) : Sessions.follows(ahead, operation);
  }

  Sessions.@Nullable Outcome outcome(OpId id) {
    Sessions.Outcome ahead = outcomes.get(id);
    return ahead != null ? ahead : ground.sessions().outcome(id);
  }

  /** Goes on by entries; false if one makes no sense, and then this tip is of no more use. */
  boolean replay(List<Entry> entries) {
    try {
      for (Entry entry : entries) {
        for (EntryBody.Done one : EntryBody.read(entry.body()).done()) {
          state = ground.model().replay(state, one.effect());
          note(one, entry.version());
        }
        at = entry.state();
        levels.add(new Level<>(at, state));
      }
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private void note(EntryBody.Done one, long version) {
    OpId id = one.id();
    done.add(new Step(one, version));
    deletes |= one.deletes();
    executed.put(id.session(), id.sequence());
    outcomes.put(id, Sessions.Outcome.of(one, version));
  }

  /**
   * Applies those operations that are next in their sessions, and goes on by the entry that they
   * make. Several operations of one session must come in their order.
   *
   * @param maxBytes how long the entry may be, unless one operation alone is longer
   * @param snapshotDigest of this version as a whole, if it is to become a snapshot
   * @param wallMillis the present moment
   * @return nothing if there is none to apply
   */
  Optional<Entry> extend(
      List<SubmittedOperation> operations,
      int maxBytes,
      Optional<Digest> snapshotDigest,
      long wallMillis) {
    if (at.version() == StateId.MAX_VERSION
        || (!done.isEmpty() && ground.sessions().mayForget(executed.size()))
        || deletes) {
      return Optional.empty(); // What is forgotten on the way to here is known when it is chosen.
    }
    List<EntryBody.Done> batch = new ArrayList<>();
    Map<Long, Long> nowExecuted = new HashMap<>();
    S after = state;
    int bytes = 0;
    for (SubmittedOperation operation : operations) {
      if (!isNext(operation, nowExecuted)
          || !ground.model().canApply(after, operation.body(), wallMillis)) {
        continue;
      }
      ObjectModel.Change<S> change = ground.model().apply(after, operation.body(), wallMillis);
      EntryBody.Done one =
          new EntryBody.Done(
              operation.id().session(),
              operation.id().sequence(),
              operation.floor(),
              change.result(),
              change.effect(),
              change.deletes());
      bytes += one.size();
      if (bytes > maxBytes && !batch.isEmpty()) {
        break; // What it would have done is forgotten: it is applied anew in the next batch.
      }
      after = change.after();
      nowExecuted.put(one.session(), one.sequence());
      batch.add(one);
      if (one.deletes()) {
        break; // It makes us forget sessions: what comes next is judged by what is left.
      }
    }
    if (batch.isEmpty()) {
      return Optional.empty();
    }
    EntryBody body = new EntryBody(ImmutableList.copyOf(batch), snapshotDigest);
    Entry entry = new Entry(at.version() + 1, at.link(), body.toBytes());
    // Only now: an operation that throws leaves nothing of a batch behind.
    batch.forEach(one -> note(one, entry.version()));
    state = after;
    at = entry.state();
    levels.add(new Level<>(at, state));
    return Optional.of(entry);
  }

  /** This version as a whole; the tip must be where its ground is. */
  Bytes encode() {
    Sessions sessions = ground.sessions();
    return sessions
        .with(sessions.isAbsent() ? Bytes.EMPTY : ground.model().encode(state))
        .toBytes();
  }
}
