package io.testudo.ordering.protocol;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import java.util.ArrayList;
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

  private static final Comparator<OpId> BY_SESSION =
      Comparator.comparingLong(OpId::session).thenComparingLong(OpId::sequence);

  private final int vouchers;
  private final Map<OpId, OwnOperation> own = new LinkedHashMap<>();
  private final Map<OpId, Operation> foreign = new LinkedHashMap<>();
  private final Map<OpId, Map<Operation, ServerSet>> rumours = new HashMap<>();
  private long lastSequence;
  private long horizon;

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
      next = Math.max(next, Math.max(earliest, horizon + 1));
    }
    if (next > OpId.MAX_SEQUENCE) {
      return null;
    }
    lastSequence = next;
    return new OpId(session, next);
  }

  /** Numbers that are not above this one are of no use. */
  void beginAbove(long horizon) {
    this.horizon = Math.max(this.horizon, horizon);
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
  void hear(ServerId from, Operation operation, boolean proven) {
    OpId id = operation.id();
    if (proven) {
      accept(operation);
    } else if (rumours.size() < MAX_FOREIGN || rumours.containsKey(id)) {
      ServerSet sayers =
          rumours
              .computeIfAbsent(id, any -> new HashMap<>())
              .merge(operation, ServerSet.of(from), ServerSet::union);
      if (sayers.size() >= vouchers) {
        rumours.remove(id);
        accept(operation);
      }
    }
  }

  private void accept(Operation operation) {
    if (foreign.size() < MAX_FOREIGN) {
      foreign.put(operation.id(), operation);
    }
  }

  boolean knows(OpId id) {
    return own.containsKey(id) || foreign.containsKey(id);
  }

  /** Whether an operation of another client is one of these. */
  boolean hasForeign(Predicate<Operation> which) {
    return foreign.values().stream().anyMatch(which);
  }

  /** Forgets operations of others that are done, or can be no more. */
  void forgetPast(Sessions sessions) {
    if (!foreign.isEmpty()) {
      foreign.values().removeIf(sessions::isPast);
    }
    if (!rumours.isEmpty()) {
      rumours.keySet().removeIf(sessions::isPast);
    }
  }

  /** Everything, in an order in which the operations of each session follow each other. */
  List<Operation> inOrder() {
    List<Operation> all = new ArrayList<>(own.size() + foreign.size());
    own.values().forEach(mine -> all.add(mine.operation));
    foreign.values().stream()
        .sorted(Comparator.comparing(Operation::id, BY_SESSION))
        .forEach(all::add);
    return all;
  }
}
