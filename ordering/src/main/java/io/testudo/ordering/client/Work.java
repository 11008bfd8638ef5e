package io.testudo.ordering.client;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.Sessions;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is to be done to an object: a client's own operations, and those of others it hears of. */
final class Work {
  /** More operations of others are not remembered. */
  private static final int MAX_FOREIGN = 8_192;

  /** The same for their bytes. */
  static final long MAX_FOREIGN_BYTES = 16 << 20;

  /** More than this of what one server tells is not remembered; its oldest words go first. */
  static final int MAX_TOLD = 4_096;

  /** The same for bytes. */
  static final long MAX_TOLD_BYTES = 4 << 20;

  private static final Comparator<OpId> BY_SESSION =
      Comparator.comparingLong(OpId::session).thenComparingLong(OpId::sequence);

  private final int vouchers;
  private final Map<OpId, OwnOperation> own = new LinkedHashMap<>();
  private final Map<OpId, SubmittedOperation> foreign = new LinkedHashMap<>();
  private final Map<Long, Long> foreignBytes = new HashMap<>();
  private long allForeignBytes;
  private final Map<ServerId, Told> rumours = new HashMap<>();
  private final Told behindGaps = new Told();
  private long lastSequence;
  private long expiredUpTo;

  /** Operations that are remembered as long as newer ones leave them room, one of each id. */
  private static final class Told {
    final Map<OpId, SubmittedOperation> operations = new LinkedHashMap<>();
    long bytes;

    void put(SubmittedOperation operation) {
      remove(operation.id()); // To the end: it is the newest.
      operations.put(operation.id(), operation);
      bytes += bytesOf(operation);
      while (operations.size() > MAX_TOLD || bytes > MAX_TOLD_BYTES) {
        remove(operations.keySet().iterator().next());
      }
    }

    void remove(OpId id) {
      SubmittedOperation operation = operations.remove(id);
      bytes -= operation == null ? 0 : bytesOf(operation);
    }

    void removeIf(Predicate<SubmittedOperation> which) {
      List<OpId> gone =
          operations.values().stream().filter(which).map(SubmittedOperation::id).toList();
      gone.forEach(this::remove);
    }
  }

  private static long bytesOf(SubmittedOperation operation) {
    return Entry.ROW_BYTES + operation.body().size();
  }

  /**
   * Begins with nothing to do.
   *
   * @param vouchers how many servers must tell of an operation that is not proven otherwise
   */
  Work(int vouchers) {
    this.vouchers = vouchers;
  }

  /**
   * Names one more operation of our own.
   *
   * @param earliest its number, if none waits whose number it has to follow
   * @return null if there is no number left
   */
  @Nullable OpId nextId(long session, long earliest) {
    long next = lastSequence + 1;
    if (own.isEmpty()) {
      next = Math.max(next, Math.max(earliest, expiredUpTo + 1));
    }
    if (next > OpId.MAX_SEQUENCE) {
      return null;
    }
    lastSequence = next;
    return new OpId(session, next);
  }

  /** The number of our last operation. */
  long lastSequence() {
    return lastSequence;
  }

  /** Numbers that are not above this one are of no use. */
  void beginAbove(long expiredUpTo) {
    this.expiredUpTo = Math.max(this.expiredUpTo, expiredUpTo);
  }

  /** Results up to here have arrived. */
  long floor() {
    return own.isEmpty() ? lastSequence - 1 : own.keySet().iterator().next().sequence() - 1;
  }

  /** The client's own operations that are not answered, oldest first. */
  Map<OpId, OwnOperation> own() {
    return own;
  }

  boolean hasForeign() {
    return !foreign.isEmpty();
  }

  /**
   * Hears of an operation of another client.
   *
   * @param proven whether its submitter's seal was checked
   */
  void hear(ServerId from, SubmittedOperation operation, boolean proven, Sessions sessions) {
    OpId id = operation.id();
    if (proven) {
      take(operation, sessions);
      return;
    }
    rumours.computeIfAbsent(from, any -> new Told()).put(operation);
    long sayers =
        rumours.values().stream().filter(told -> operation.equals(told.operations.get(id))).count();
    if (sayers >= vouchers) {
      rumours.values().forEach(told -> told.remove(id));
      take(operation, sessions);
    }
  }

  /** Those behind a gap may never be done: they must not take the room of those that can be. */
  private void take(SubmittedOperation operation, Sessions sessions) {
    if (!canFollow(operation, sessions)) {
      behindGaps.put(operation);
      return;
    }
    SubmittedOperation next = operation;
    while (next != null) {
      behindGaps.remove(next.id());
      accept(next);
      OpId id = next.id();
      next = foreign.containsKey(id) ? behindGaps.operations.get(following(id)) : null;
    }
  }

  private static OpId following(OpId id) {
    return new OpId(id.session(), Math.min(id.sequence() + 1, OpId.MAX_SEQUENCE));
  }

  /** Where there is no room, whose operations take most of it makes some. */
  private void accept(SubmittedOperation operation) {
    long session = operation.id().session();
    long bytes = bytesOf(operation);
    while (foreign.size() >= MAX_FOREIGN || allForeignBytes + bytes > MAX_FOREIGN_BYTES) {
      Map.Entry<Long, Long> largest =
          Collections.max(foreignBytes.entrySet(), Map.Entry.comparingByValue());
      if (largest.getValue() <= foreignBytes.getOrDefault(session, 0L) + bytes) {
        return;
      }
      long crowd = largest.getKey();
      OpId last =
          foreign.keySet().stream()
              .filter(id -> id.session() == crowd)
              .max(BY_SESSION)
              .orElseThrow();
      forget(last);
    }
    if (foreign.put(operation.id(), operation) == null) {
      allForeignBytes += bytes;
      foreignBytes.merge(session, bytes, Long::sum);
    }
  }

  private void forget(OpId id) {
    SubmittedOperation gone = foreign.remove(id);
    if (gone != null) {
      long bytes = bytesOf(gone);
      allForeignBytes -= bytes;
      foreignBytes.computeIfPresent(id.session(), (any, had) -> had == bytes ? null : had - bytes);
    }
  }

  /** What servers made us keep, in bytes; about. */
  long memoryBytes() {
    return allForeignBytes
        + behindGaps.bytes
        + rumours.values().stream().mapToLong(told -> told.bytes).sum();
  }

  boolean knows(OpId id) {
    return own.containsKey(id) || foreign.containsKey(id) || behindGaps.operations.containsKey(id);
  }

  private boolean canFollow(SubmittedOperation operation, Sessions sessions) {
    OpId id = operation.id();
    return sessions.isNext(operation)
        || (id.sequence() > 1 && foreign.containsKey(new OpId(id.session(), id.sequence() - 1)));
  }

  /** Whether an operation of another client is one of these. */
  boolean hasForeign(Predicate<SubmittedOperation> which) {
    return foreign.values().stream().anyMatch(which);
  }

  /** Forgets operations of others that are done, or can be no more. */
  void forgetExpired(Sessions sessions) {
    if (!foreign.isEmpty()) {
      foreign.values().stream()
          .filter(sessions::isExpired)
          .map(SubmittedOperation::id)
          .toList()
          .forEach(this::forget);
    }
    rumours.values().forEach(told -> told.removeIf(sessions::isExpired));
    behindGaps.removeIf(sessions::isExpired);
    for (SubmittedOperation operation : List.copyOf(behindGaps.operations.values())) {
      if (sessions.isNext(operation)) {
        take(operation, sessions);
      }
    }
  }

  /** Everything, in an order in which the operations of each session follow each other. */
  List<SubmittedOperation> inOrder() {
    List<SubmittedOperation> all = new ArrayList<>(own.size() + foreign.size());
    own.values().forEach(mine -> all.add(mine.operation));
    all.addAll(inOrder(foreign.values()));
    return all;
  }

  /** Operations in an order in which those of each session follow each other. */
  static List<SubmittedOperation> inOrder(Collection<SubmittedOperation> operations) {
    if (operations.size() < 2) {
      return List.copyOf(operations);
    }
    return operations.stream()
        .sorted(Comparator.comparing(SubmittedOperation::id, BY_SESSION))
        .toList();
  }
}
