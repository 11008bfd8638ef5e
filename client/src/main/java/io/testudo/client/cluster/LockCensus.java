package io.testudo.client.cluster;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multimap;
import io.testudo.mutex.protocol.LockList;
import io.testudo.mutex.protocol.LockView;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.Thresholds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who holds and who waits, as so many servers say the same that one of them must be correct. What
 * fewer say is left out: they may have made it up, or hear of it first.
 */
public final class LockCensus {
  private LockCensus() {}

  /**
   * One lock.
   *
   * @param waiters those for whom enough servers vouch, in the order of most of them
   */
  public record Entry(String lock, Optional<Holder> holder, ImmutableList<LockView.User> waiters) {}

  /**
   * A holder.
   *
   * @param servers how many say so
   * @param remainingNanos what is left of its lease at least, as one correct server says
   */
  public record Holder(LockView.User user, long token, int servers, long remainingNanos) {}

  private record Grant(LockView.User user, long token) {}

  /** Counts what servers said. */
  public static ImmutableList<Entry> of(Multimap<ServerId, LockList> pages, Thresholds thresholds) {
    Map<String, List<LockView>> views = new TreeMap<>();
    for (Collection<LockList> ofOne : pages.asMap().values()) {
      Set<String> seen = new HashSet<>(); // A server that names a lock twice counts once.
      for (LockList page : ofOne) {
        for (LockView view : page.locks()) {
          if (seen.add(view.lock())) {
            views.computeIfAbsent(view.lock(), any -> new ArrayList<>()).add(view);
          }
        }
      }
    }
    ImmutableList.Builder<Entry> entries = ImmutableList.builder();
    views.forEach(
        (lock, said) -> {
          Optional<Holder> holder = holder(said, thresholds);
          ImmutableList<LockView.User> waiters = waiters(said, thresholds);
          if (holder.isPresent() || !waiters.isEmpty()) {
            entries.add(new Entry(lock, holder, waiters));
          }
        });
    return entries.build();
  }

  private static Optional<Holder> holder(List<LockView> said, Thresholds thresholds) {
    Map<Grant, List<Long>> remaining = new HashMap<>();
    for (LockView view : said) {
      view.holding()
          .ifPresent(
              holding ->
                  remaining
                      .computeIfAbsent(
                          new Grant(holding.user(), holding.token()), any -> new ArrayList<>())
                      .add(holding.remainingNanos()));
    }
    return remaining.entrySet().stream()
        .filter(entry -> entry.getValue().size() >= thresholds.vouchers())
        .max(Comparator.comparingLong(entry -> entry.getKey().token()))
        .map(
            entry -> {
              List<Long> longestFirst = new ArrayList<>(entry.getValue());
              longestFirst.sort(Comparator.reverseOrder());
              return new Holder(
                  entry.getKey().user(),
                  entry.getKey().token(),
                  longestFirst.size(),
                  longestFirst.get(thresholds.vouchers() - 1));
            });
  }

  private static ImmutableList<LockView.User> waiters(List<LockView> said, Thresholds thresholds) {
    Map<LockView.User, Integer> counts = new LinkedHashMap<>();
    for (LockView view : said) {
      new HashSet<>(view.waiters()).forEach(waiter -> counts.merge(waiter, 1, Integer::sum));
    }
    Map<LockView.User, Integer> places = new HashMap<>();
    for (LockView view : said) {
      for (int place = 0; place < view.waiters().size(); place++) {
        places.merge(view.waiters().get(place), place, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() >= thresholds.vouchers())
        .map(Map.Entry::getKey)
        .sorted(
            Comparator.comparingInt((LockView.User user) -> places.getOrDefault(user, 0))
                .thenComparing(LockView.User::client))
        .collect(ImmutableList.toImmutableList());
  }
}
