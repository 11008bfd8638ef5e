package io.testudo.ordering.client;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.EntryBody;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.message.Bodies;
import io.testudo.quorum.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What servers send of the past of an object, in parts, until it can be proven: entries that lead
 * to a state whose link is known prove themselves, and a snapshot is proven by the entry after it.
 * Only states that were asked for are taken: a liar can prove whatever it makes up itself.
 */
final class Deliveries {
  /** Of so many states at once the past is wanted. */
  private static final int MAX_WANTED = 256;

  /** More than this of one server's parts makes no past that a correct server has. */
  private static final long MAX_BYTES = 32L << 20;

  private final Set<StateId> wanted = new HashSet<>();
  private final Map<ServerId, Parts> byServer = new HashMap<>();

  /** The parts that one server has sent so far. */
  private static final class Parts {
    final StateId wanted;
    @Nullable LogSnapshot snapshot;
    final List<Entry> entries = new ArrayList<>();
    long bytes;

    Parts(StateId wanted) {
      this.wanted = wanted;
    }
  }

  /**
   * A past that leads to a state that was wanted.
   *
   * @param snapshot where it begins, proven by the first entry; nothing if it begins at a known
   *     state
   */
  record LogSuffix(Optional<LogSnapshot> snapshot, List<Entry> entries) {}

  void want(StateId state) {
    if (wanted.size() >= MAX_WANTED) {
      wanted.clear();
    }
    wanted.add(state);
  }

  /**
   * Takes a part.
   *
   * @return the past, if it is complete with this part
   * @throws NotASuffixException if no correct server sends such parts
   */
  Optional<LogSuffix> take(ServerId from, Bodies part) throws NotASuffixException {
    if (!wanted.contains(part.wanted())) {
      return Optional.empty(); // Not asked for, or not any more.
    }
    Parts parts = byServer.get(from);
    if (parts == null || part.isFirst() || !parts.wanted.equals(part.wanted())) {
      if (!part.isFirst()) {
        return Optional.empty(); // The parts before it are lost.
      }
      parts = new Parts(part.wanted());
      parts.snapshot = part.snapshot().orElse(null);
      byServer.put(from, parts);
    }
    for (Entry entry : part.entries()) {
      parts.bytes += Entry.ROW_BYTES + entry.body().size();
      StateId before = newest(parts);
      if (parts.bytes > MAX_BYTES || (before != null && !entry.before().equals(before))) {
        byServer.remove(from);
        throw new NotASuffixException();
      }
      parts.entries.add(entry);
    }
    if (!part.wanted().equals(newest(parts))) {
      return Optional.empty();
    }
    byServer.remove(from);
    return Optional.of(proven(parts));
  }

  /** What servers made us keep, in bytes; about. */
  long memoryBytes() {
    return byServer.values().stream()
        .mapToLong(it -> it.bytes + (it.snapshot == null ? 0 : it.snapshot.body().size()))
        .sum();
  }

  private static @Nullable StateId newest(Parts parts) {
    if (!parts.entries.isEmpty()) {
      return parts.entries.get(parts.entries.size() - 1).state();
    }
    return parts.snapshot == null ? null : parts.snapshot.state();
  }

  private static LogSuffix proven(Parts parts) {
    // One that is not proven is left alone: a correct server may lack the entry after it.
    Optional<LogSnapshot> snapshot =
        Optional.ofNullable(parts.snapshot)
            .filter(it -> !parts.entries.isEmpty())
            .filter(it -> it.digest().equals(namedSnapshot(parts.entries.get(0))));
    return new LogSuffix(snapshot, parts.entries);
  }

  void got(StateId state) {
    wanted.remove(state);
  }

  private static @Nullable Digest namedSnapshot(Entry entry) {
    try {
      return EntryBody.read(entry.body()).snapshotDigest().orElse(null);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** A server sent what no correct server sends. */
  static final class NotASuffixException extends Exception {
    private static final long serialVersionUID = 1;
  }
}
