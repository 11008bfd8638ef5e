package io.testudo.ordering.client;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.message.CompleteMemory;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All names that some servers list. None may be left out, however few list it: those who know it
 * may be among the servers that say nothing of it. So what a liar can make up is bounded: one that
 * lists too many names alone does not count.
 */
final class NameUnion {
  /** As many names of one server alone have room: as many as one principal may make there. */
  static final int MAX_ALONE = CompleteMemory.MAX_OBJECTS / 2;

  /** With so many names a client was cut off at one server only; more are an attack. */
  static final int MAX_UNVOUCHED = 100;

  private final Map<ServerId, NameListing> listings = new TreeMap<>();

  NameUnion(Map<ServerId, NameListing> listings) {
    this.listings.putAll(listings);
  }

  /** Those whose names are in it. */
  int servers() {
    return listings.size();
  }

  /** The names that are listed; nothing if they are too many. */
  Optional<ImmutableSortedSet<String>> names() {
    SortedSet<String> all = new TreeSet<>();
    listings.values().forEach(listing -> all.addAll(listing.names.keySet()));
    return CompleteMemory.hasRoom(all)
        ? Optional.of(ImmutableSortedSet.copyOfSorted(all))
        : Optional.empty();
  }

  /**
   * Those that more servers know than so many, and what the others know or doubt if it is little: a
   * liar may have made that up, and it is made everywhere where it is restored.
   */
  Set<String> worthRestoring(int few) {
    Map<String, Integer> counts = count(false);
    Set<String> worth = new HashSet<>();
    for (NameListing listing : listings.values()) {
      Map<Boolean, List<String>> byVouched =
          listing.names.keySet().stream()
              .collect(Collectors.partitioningBy(name -> counts.getOrDefault(name, 0) > few));
      worth.addAll(byVouched.getOrDefault(true, List.of()));
      List<String> others = byVouched.getOrDefault(false, List.of());
      if (others.size() <= MAX_UNVOUCHED) {
        worth.addAll(others);
      }
    }
    return worth;
  }

  private Map<String, Integer> count(boolean doubtfulToo) {
    Map<String, Integer> counts = new HashMap<>();
    for (NameListing listing : listings.values()) {
      listing.names.forEach(
          (name, isDoubtful) -> {
            if (doubtfulToo || !isDoubtful) {
              counts.merge(name, 1, Integer::sum);
            }
          });
    }
    return counts;
  }

  /** The server that lists most names which nobody else lists, with their number. */
  Map.Entry<ServerId, Long> mostAlone() {
    Map<String, Integer> counts = count(true);
    return listings.entrySet().stream()
        .map(
            one ->
                Map.entry(
                    one.getKey(),
                    one.getValue().names.keySet().stream()
                        .filter(name -> counts.getOrDefault(name, 0) == 1)
                        .count()))
        .max(Comparator.comparingLong(Map.Entry::getValue))
        .orElseThrow();
  }

  /** Leaves servers out that list too many names alone, as long as enough are left. */
  void leaveOutThoseWhoListTooMany(Thresholds thresholds) {
    while (isTooMuch()) {
      ServerId most = mostAlone().getKey();
      ServerSet all = ServerSet.of(listings.keySet().toArray(new ServerId[0]));
      if (!thresholds.isQuorum(all.without(most))) {
        return;
      }
      listings.remove(most);
    }
  }

  /** Whether a server lists too many names alone, or all together do. */
  boolean isTooMuch() {
    return mostAlone().getValue() > MAX_ALONE || names().isEmpty();
  }
}
