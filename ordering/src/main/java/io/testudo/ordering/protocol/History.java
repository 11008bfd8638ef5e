package io.testudo.ordering.protocol;

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
 * Whatever is held here can be followed back to the base.
 */
final class History {
  private final Map<Digest, Step> steps = new HashMap<>();
  private StateId start;
  private @Nullable Base base;

  private record Step(Entry entry, StateId leadsTo) {}

  History(String object) {
    this.start = StateId.genesis(object);
  }

  /** The state that the entries begin at. */
  StateId start() {
    return start;
  }

  /** That state as a whole; nothing if it is the initial one. */
  Optional<Base> base() {
    return Optional.ofNullable(base);
  }

  int entries() {
    return steps.size();
  }

  boolean holds(StateId state) {
    if (state.equals(start)) {
      return true;
    }
    Step step = steps.get(state.link());
    return step != null && step.leadsTo.version() == state.version();
  }

  /**
   * Takes an entry if what comes before it is held.
   *
   * @return whether it is news
   */
  boolean add(Entry entry) {
    StateId parent = new StateId(entry.version() - 1, entry.parent());
    if (!holds(parent)) {
      return false;
    }
    StateId leadsTo = entry.state();
    return steps.putIfAbsent(leadsTo.link(), new Step(entry, leadsTo)) == null;
  }

  /** The entries that lead from one state to another, or nothing if none do. */
  Optional<List<Entry>> path(StateId from, StateId to) {
    if (!holds(to) || from.version() > to.version()) {
      return Optional.empty();
    }
    Deque<Entry> found = new ArrayDeque<>();
    StateId at = to;
    while (at.version() > from.version()) {
      Step step = steps.get(at.link());
      if (step == null) {
        return Optional.empty(); // The way back ends at the start, which is later than from.
      }
      found.addFirst(step.entry);
      at = new StateId(at.version() - 1, step.entry.parent());
    }
    return at.equals(from) ? Optional.of(ImmutableList.copyOf(found)) : Optional.empty();
  }

  /** Puts a state in the place of all that leads to it, and drops the branches beside it. */
  void rebase(Base to) {
    StateId newStart = to.state();
    Set<Digest> kept = new HashSet<>();
    for (Step step : steps.values()) {
      if (step.leadsTo.version() > newStart.version() && path(newStart, step.leadsTo).isPresent()) {
        kept.add(step.leadsTo.link());
      }
    }
    steps.keySet().retainAll(kept);
    start = newStart;
    base = to;
  }

  /** Begins anew at a state that nothing here leads to. */
  void restart(Base at) {
    steps.clear();
    start = at.state();
    base = at;
  }

  /** Drops branches that lead to neither of these states. */
  void keepOnly(List<StateId> wanted) {
    Set<Digest> kept = new HashSet<>();
    for (StateId state : wanted) {
      path(start, state)
          .ifPresent(entries -> entries.forEach(entry -> kept.add(entry.state().link())));
    }
    steps.keySet().retainAll(kept);
  }

  /** All entries, each after the one before it. */
  List<Entry> inOrder() {
    return steps.values().stream()
        .map(Step::entry)
        .sorted(
            Comparator.comparingLong(Entry::version)
                .thenComparing(entry -> entry.state().link().toString()))
        .toList();
  }
}
