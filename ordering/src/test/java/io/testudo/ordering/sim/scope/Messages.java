package io.testudo.ordering.sim.scope;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.message.Propose;
import io.testudo.quorum.protocol.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All messages that were ever sent, by number, and all entries that were in them. */
final class Messages {
  private final List<Message> all = new ArrayList<>();
  private final Map<Message, Integer> numbers = new HashMap<>();
  private final Map<Digest, Entry> entries = new HashMap<>();

  int number(Message message) {
    Integer known = numbers.get(message);
    if (known != null) {
      return known;
    }
    if (message instanceof Propose propose) {
      propose.entries().forEach(entry -> entries.put(entry.state().link(), entry));
    }
    all.add(message);
    numbers.put(message, all.size() - 1);
    return all.size() - 1;
  }

  Message message(int number) {
    return all.get(number);
  }

  /** What leads to a state from the initial one. */
  List<Entry> pathTo(StateId state) {
    Deque<Entry> path = new ArrayDeque<>();
    Entry entry = entries.get(state.link());
    while (entry != null) {
      path.addFirst(entry);
      entry = entries.get(entry.parent());
    }
    return List.copyOf(path);
  }

  /** Whether one of two states leads to the other. */
  boolean areInLine(StateId one, StateId other) {
    boolean isFirst = one.version() <= other.version();
    StateId earlier = isFirst ? one : other;
    StateId later = isFirst ? other : one;
    if (earlier.version() == 0 || earlier.equals(later)) {
      return true;
    }
    return pathTo(later).stream().anyMatch(entry -> entry.state().equals(earlier));
  }
}
