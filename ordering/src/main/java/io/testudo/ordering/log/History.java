package io.testudo.ordering.log;

import com.google.common.collect.ImmutableList;
import io.testudo.crypto.Digest;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an object's past: a state as a whole, and entries that lead on from it. Entries
 * are found by their links, so that branches can be kept side by side until one of them is chosen.
 * Whatever is held here can be followed back to the snapshot.
 */
public final class History {
  private final Map<Digest, Entry> entries = new HashMap<>();
  private long bytes;
  private StateId start;
  private @Nullable LogSnapshot snapshot;

  public History(String object) {
    this.start = StateId.genesis(object);
  }

  /** The state that the entries begin at. */
  public StateId start() {
    return start;
  }

  /** That state as a whole; nothing if it is the initial one. */
  public Optional<LogSnapshot> snapshot() {
    return Optional.ofNullable(snapshot);
  }

  public int entries() {
    return entries.size();
  }

  /** How long the entries are, together. */
  public long bytes() {
    return bytes;
  }

  public boolean holds(StateId state) {
    if (state.equals(start)) {
      return true;
    }
    Entry entry = entries.get(state.link());
    return entry != null && entry.version() == state.version();
  }

  /**
   * Takes an entry if what comes before it is held.
   *
   * @return whether it is news
   */
  public boolean add(Entry entry) {
    if (!holds(entry.before()) || entries.putIfAbsent(entry.state().link(), entry) != null) {
      return false;
    }
    bytes += entry.body().size();
    return true;
  }

  /** The entries that lead from one state to another, or nothing if none do. */
  public Optional<List<Entry>> path(StateId from, StateId to) {
    return path(from, to, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * The same, or nothing if it is longer than that. No more than that is looked at either: a past
   * may be very long, and a question for it is short.
   */
  public Optional<List<Entry>> path(StateId from, StateId to, long mostEntries, long mostBytes) {
    if (!holds(to)
        || from.version() > to.version()
        || to.version() - from.version() > mostEntries) {
      return Optional.empty();
    }
    Deque<Entry> found = new ArrayDeque<>();
    StateId at = to;
    long left = mostBytes;
    while (at.version() > from.version()) {
      Entry entry = entries.get(at.link());
      left -= entry == null ? 0 : entry.body().size();
      if (entry == null || left < 0) {
        return Optional.empty(); // The way back ends at the start, which is later than from.
      }
      found.addFirst(entry);
      at = entry.before();
    }
    return at.equals(from) ? Optional.of(ImmutableList.copyOf(found)) : Optional.empty();
  }

  /** Puts a state in the place of all that leads to it, and drops the branches beside it. */
  public void install(LogSnapshot to) {
    start = to.state();
    snapshot = to;
    entries.values().removeIf(entry -> entry.version() <= start.version());
    // Oldest first, so that what an entry stands on is known before the entry.
    Set<Digest> kept = new HashSet<>(Set.of(start.link()));
    for (Entry entry : inOrder()) {
      if (kept.contains(entry.parent())) {
        kept.add(entry.state().link());
      }
    }
    kept.remove(start.link());
    keepOnly(kept);
  }

  private void keepOnly(Set<Digest> links) {
    entries.keySet().retainAll(links);
    bytes = entries.values().stream().mapToLong(entry -> entry.body().size()).sum();
  }

  /** Begins anew at a state that nothing here leads to. */
  public void restart(LogSnapshot at) {
    entries.clear();
    bytes = 0;
    start = at.state();
    snapshot = at;
  }

  /** Drops branches that lead to neither of these states. */
  public void keepOnly(List<StateId> wanted) {
    Set<Digest> kept = new HashSet<>();
    for (StateId state : wanted) {
      path(start, state).ifPresent(path -> path.forEach(entry -> kept.add(entry.state().link())));
    }
    keepOnly(kept);
  }

  /** All entries, each after the one before it. */
  public List<Entry> inOrder() {
    return entries.values().stream()
        .sorted(
            Comparator.comparingLong(Entry::version)
                .thenComparing(entry -> entry.state().link().toString()))
        .toList();
  }
}
