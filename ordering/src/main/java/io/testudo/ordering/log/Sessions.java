package io.testudo.ordering.log;

import com.google.common.collect.ImmutableList;
import io.testudo.quorum.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which operations are in a state, and what came of those whose submitters may still ask. It is
 * part of the state: an operation is in it once, and gives the same answer on every retry.
 *
 * <p>Sessions are forgotten some time, but servers that lie forget nothing and could show an
 * operation of such a session again. So the first number of a session is taken from a clock, and
 * whatever is not above the numbers of those that were forgotten is past: it never happens.
 */
public final class Sessions {
  /** When there are more, those that were not used for longest are forgotten. */
  public static final int MAX_SESSIONS = 10_000;

  /** When results have more bytes, those of sessions not used for longest are forgotten. */
  static final int MAX_RESULT_BYTES = 512 << 10;

  /** As many sessions are remembered of an object that was deleted: those that were used last. */
  public static final int MAX_SESSIONS_OF_DELETED = 32;

  /**
   * The same for bytes of results: enough for what such sessions have under way, if results are
   * short.
   */
  static final int MAX_RESULT_BYTES_OF_DELETED = 4 << 10;

  /** What a result takes in a snapshot beside its own bytes, at most. */
  static final int ROW_BYTES = 32;

  /** So far ahead of a clock an operation may be numbered: clocks differ, and some are wrong. */
  static final long MAX_AHEAD_MICROS = TimeUnit.DAYS.toMicros(1);

  /** So far above what is known an operation may be numbered whatever clocks show. */
  static final long MAX_STEP = 1 << 20;

  private static final Outcome FORGOTTEN = new Outcome(0, Optional.empty());

  private final Map<Long, Session> bySession;
  private long resultBytes;

  /** The highest number that an operation of a forgotten session had. */
  private long expiredUpTo;

  /** Whether nothing has changed since the object was deleted, or since its name was first used. */
  private boolean isAbsent = true;

  /** The version that did so last, as far as that is known; 0 if it is not. */
  private long deletedAt;

  /**
   * What came of an operation.
   *
   * @param result empty if it was given up as received
   */
  public record Outcome(long version, Optional<Bytes> result) {
    public static Outcome of(EntryBody.Done done, long version) {
      return new Outcome(version, Optional.of(done.result()));
    }
  }

  private static int sizeOf(@Nullable Outcome outcome) {
    return outcome == null ? 0 : ROW_BYTES + outcome.result().map(Bytes::size).orElse(0);
  }

  private static final class Session {
    /** What came before it was another life of the session, of which nothing is known. */
    long first;

    long floor;
    long executed;
    final TreeMap<Long, Outcome> results = new TreeMap<>();
  }

  public Sessions() {
    bySession = new LinkedHashMap<>(16, 0.75f, false);
  }

  private Sessions(Map<Long, Session> bySession) {
    this.bySession = bySession;
  }

  /**
   * Whether this operation is the next of its session: nothing is between it and the last, or
   * whatever is has reached its submitter.
   */
  public boolean isNext(SubmittedOperation operation) {
    OpId id = operation.id();
    Session session = bySession.get(id.session());
    return session == null
        ? operation.floor() >= expiredUpTo && followsItsFloor(operation)
        : follows(session.executed, operation);
  }

  /** Whether an operation is next in a session of which this one was the last. */
  public static boolean follows(long executed, SubmittedOperation operation) {
    long sequence = operation.id().sequence();
    return sequence == executed + 1 || (sequence > executed && followsItsFloor(operation));
  }

  private static boolean followsItsFloor(SubmittedOperation operation) {
    return operation.floor() == operation.id().sequence() - 1;
  }

  /**
   * Whether an operation is in the state, or can be no more: maybe it was, and is forgotten. One
   * that follows such an operation and has not its result cannot be, either.
   */
  public boolean isExpired(SubmittedOperation operation) {
    return bySession.containsKey(operation.id().session())
        ? isExpired(operation.id())
        : operation.floor() < expiredUpTo;
  }

  /** The same, of an operation of which only the name is known. */
  public boolean isExpired(OpId id) {
    Session session = bySession.get(id.session());
    return id.sequence() <= (session == null ? expiredUpTo : session.executed);
  }

  /**
   * Whether an operation is numbered higher than its submitter can have come to. Once its session
   * is forgotten, its number is the horizon: there must be room above it for everybody else.
   */
  public boolean isTooFarAhead(OpId id, long nowMicros) {
    Session session = bySession.get(id.session());
    long known = session == null ? expiredUpTo : session.executed;
    return id.sequence() > Math.max(nowMicros + MAX_AHEAD_MICROS, known + MAX_STEP);
  }

  /** What the numbers of a new session must be above. */
  public long expiredUpTo() {
    return expiredUpTo;
  }

  /** Whether so many sessions more could make it forget some. */
  public boolean mayForget(int more) {
    return bySession.size() + more > MAX_SESSIONS;
  }

  /** What came of an operation, if it is in the state. */
  public @Nullable Outcome outcome(OpId id) {
    Session session = bySession.get(id.session());
    if (session == null || id.sequence() < session.first || id.sequence() > session.executed) {
      return null;
    }
    Outcome outcome = session.results.get(id.sequence());
    return outcome != null ? outcome : FORGOTTEN;
  }

  /** Notes an operation that was done. */
  public void done(EntryBody.Done done, long version) {
    // Taken out and put in again: the order is that of the last use.
    Session session = bySession.remove(done.session());
    if (session == null) {
      session = new Session();
      session.first = done.sequence();
    }
    bySession.put(done.session(), session);
    session.executed = Math.max(session.executed, done.sequence());
    Outcome outcome = Outcome.of(done, version);
    resultBytes += sizeOf(outcome) - sizeOf(session.results.put(done.sequence(), outcome));
    if (done.floor() > session.floor) {
      session.floor = done.floor();
      drop(session.results.headMap(session.floor, true));
    }
    if (done.deletes()) {
      isAbsent = true;
      deletedAt = version;
    } else if (!done.effect().isEmpty()) {
      isAbsent = false;
    }
    if (done.deletes()) {
      forgetSessions(MAX_SESSIONS_OF_DELETED);
      forgetLongestResults(MAX_RESULT_BYTES_OF_DELETED);
    } else {
      forgetSessions(MAX_SESSIONS);
      forgetResults(MAX_RESULT_BYTES);
    }
  }

  private void forgetSessions(int most) {
    while (bySession.size() > most) {
      forgetSession(bySession.keySet().iterator().next());
    }
  }

  /** Whether nothing has changed since the object was deleted, or since its name was first used. */
  public boolean isAbsent() {
    return isAbsent;
  }

  /** Whether it was deleted by a later version than this, and nothing has changed since. */
  public boolean isAbsentSince(long version) {
    return isAbsent && deletedAt > version;
  }

  private void forgetSession(long id) {
    Session forgotten = bySession.remove(id);
    if (forgotten != null) {
      resultBytes -= bytesOf(forgotten);
      expiredUpTo = Math.max(expiredUpTo, forgotten.executed);
    }
  }

  private void drop(Map<Long, Outcome> results) {
    results.values().forEach(outcome -> resultBytes -= sizeOf(outcome));
    results.clear();
  }

  private static long bytesOf(Session session) {
    return session.results.values().stream().mapToLong(Sessions::sizeOf).sum();
  }

  /** That the operations are done stays known. */
  private void forgetResults(int mostBytes) {
    if (resultBytes <= mostBytes) {
      return;
    }
    for (Session session : bySession.values()) {
      while (resultBytes > mostBytes && !session.results.isEmpty()) {
        resultBytes -= sizeOf(session.results.pollFirstEntry().getValue());
      }
    }
  }

  private record Kept(Session session, long sequence, int bytes) {}

  /** One long result must not cost everybody theirs; of equal ones the oldest goes first. */
  private void forgetLongestResults(int mostBytes) {
    if (resultBytes <= mostBytes) {
      return;
    }
    List<Kept> all = new ArrayList<>();
    for (Session session : bySession.values()) {
      session.results.forEach(
          (sequence, outcome) -> all.add(new Kept(session, sequence, sizeOf(outcome))));
    }
    all.sort(Comparator.comparingInt(Kept::bytes).reversed()); // It leaves equals in their order.
    for (Kept longest : all) {
      if (resultBytes <= mostBytes) {
        return;
      }
      resultBytes -= sizeOf(longest.session().results.remove(longest.sequence()));
    }
  }

  /** A snapshot with this table; the order is part of it. */
  public SnapshotBody with(Bytes state) {
    ImmutableList.Builder<SnapshotBody.SessionRow> rows = ImmutableList.builder();
    bySession.forEach(
        (id, session) -> {
          ImmutableList.Builder<SnapshotBody.ResultRow> results = ImmutableList.builder();
          session.results.forEach(
              (sequence, outcome) ->
                  results.add(
                      new SnapshotBody.ResultRow(
                          sequence, outcome.version(), outcome.result().orElse(Bytes.EMPTY))));
          rows.add(
              new SnapshotBody.SessionRow(
                  id, session.floor, session.executed, results.build(), session.first));
        });
    return new SnapshotBody(rows.build(), state, expiredUpTo, isAbsent);
  }

  public static Sessions readFrom(SnapshotBody body) {
    Map<Long, Session> rows = new LinkedHashMap<>();
    for (SnapshotBody.SessionRow row : body.sessions()) {
      Session session = new Session();
      session.first = row.first();
      session.floor = row.floor();
      session.executed = row.executed();
      for (SnapshotBody.ResultRow result : row.results()) {
        session.results.put(
            result.sequence(), new Outcome(result.version(), Optional.of(result.result())));
      }
      rows.put(row.session(), session);
    }
    Sessions sessions = new Sessions(rows);
    rows.values().forEach(row -> sessions.resultBytes += bytesOf(row));
    sessions.expiredUpTo = body.expiredUpTo();
    sessions.isAbsent = body.isAbsent();
    return sessions;
  }

  /** How many operations of each session are in the state, for checks. */
  Map<Long, Long> executed() {
    Map<Long, Long> executed = new HashMap<>();
    bySession.forEach((id, session) -> executed.put(id, session.executed));
    return executed;
  }
}
