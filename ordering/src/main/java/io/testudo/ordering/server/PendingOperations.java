package io.testudo.ordering.server;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Shares;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The operations on one object that wait at one server to be ordered. */
final class PendingOperations {
  /** More operations than this do not wait at one server for one object. */
  static final int MAX_PENDING = 8_192;

  /** Who has not submitted an operation again for so long has given it up. */
  static final long PENDING_NANOS = 60_000_000_000L;

  /** As many bytes of pending operations go into one message. */
  private static final int MAX_REPORTED_BYTES = 1 << 20;

  private final Map<OpId, Pending> pending = new LinkedHashMap<>();

  /** Those pending operations of which the present ballot was not told. */
  private final Set<OpId> news = new LinkedHashSet<>();

  /** What they take, by principals, here and of all objects. */
  private final Shares slots = new Shares(MAX_PENDING);

  private final Shares ofAllObjects;

  /**
   * An operation that waits, who asked for it last, and when.
   *
   * @param isTold whether its submitter knows that a proposal here contains it
   */
  record Pending(
      SubmittedOperation operation, ClientId submitter, long sinceNanos, boolean isTold) {
    long bytes() {
      return Entry.ROW_BYTES + operation.body().size();
    }
  }

  PendingOperations(Shares ofAllObjects) {
    this.ofAllObjects = ofAllObjects;
  }

  /**
   * Keeps an operation until a commit contains it, or until its submitter does not ask for it any
   * more. One that finds no room is asked for again. One that is submitted again is told again: the
   * orderer may not have heard of it.
   */
  void add(SubmittedOperation operation, ClientId submitter, long nowNanos) {
    OpId id = operation.id();
    Pending unused = remove(id);
    dropAbandoned(nowNanos);
    Pending waiting = new Pending(operation, submitter, nowNanos, false);
    String owner = submitter.principal();
    if (!slots.take(owner, 1)) {
      return;
    }
    if (!ofAllObjects.take(owner, waiting.bytes())) {
      slots.giveBack(owner, 1);
      return;
    }
    pending.put(id, waiting);
    news.add(id);
  }

  @Nullable Pending remove(OpId id) {
    Pending waiting = pending.remove(id);
    news.remove(id);
    if (waiting != null) {
      slots.giveBack(waiting.submitter().principal(), 1);
      ofAllObjects.giveBack(waiting.submitter().principal(), waiting.bytes());
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
      Pending unused = remove(oldest.getKey());
    }
  }

  /** Which of them are like that. */
  List<OpId> those(Predicate<SubmittedOperation> which) {
    return pending.values().stream()
        .map(Pending::operation)
        .filter(which)
        .map(SubmittedOperation::id)
        .toList();
  }

  /** What they take, in bytes; about. */
  long bytes() {
    return pending.values().stream().mapToLong(Pending::bytes).sum();
  }

  /** What some of them take in an answer. Short ones take something, too. */
  static long bytesOf(List<SubmittedOperation> some) {
    return some.stream().mapToLong(it -> Entry.ROW_BYTES + it.body().size()).sum();
  }

  /** All of them, as many as fit into a message, for a ballot that begins. */
  List<SubmittedOperation> reportAll() {
    news.clear();
    news.addAll(pending.keySet());
    return reportNews();
  }

  boolean hasNews() {
    return !news.isEmpty();
  }

  /**
   * Those that the present ballot does not know, as many as fit: of each principal in turn, short
   * ones first, so that nobody's are behind all of another's.
   */
  List<SubmittedOperation> reportNews() {
    if (news.isEmpty()) {
      return List.of();
    }
    if (news.size() == 1) {
      OpId only = news.iterator().next();
      news.clear();
      return List.of(Objects.requireNonNull(pending.get(only)).operation());
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

  /** A submitter is told that a proposal contains its operation, and so need not hear it again. */
  void told(OpId id) {
    news.remove(id);
    pending.computeIfPresent(
        id, (any, it) -> new Pending(it.operation(), it.submitter(), it.sinceNanos(), true));
  }

  /** Those who wait, whoever waits longest first. */
  Set<ClientId> submitters(int atMost) {
    Set<ClientId> waiting = new LinkedHashSet<>();
    for (Pending one : pending.values()) {
      if (waiting.size() == atMost) {
        break;
      }
      if (!one.isTold()) {
        waiting.add(one.submitter());
      }
    }
    return waiting;
  }
}
