package io.testudo.mutex.backoff;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.LockView;
import io.testudo.mutex.protocol.SealedRank;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait at one server for one lock, the lowest rank first: the delayed reply list of
 * Chockler, Malkhi and Reiter. Each contender waits once, with its newest attempt.
 */
final class Waiters {
  /** Beyond so many, the next have to ask again by themselves. */
  static final int MAX_WAITERS = 8_192;

  private final Map<Contender, Waiter> byContender = new HashMap<>();
  private final TreeSet<Waiter> byRank = new TreeSet<>(Waiter.ORDER);

  /**
   * A contender in the list.
   *
   * @param leaseNanos what it asked for
   * @param number its newest request
   * @param heardNanos when that came
   */
  record Waiter(
      Contender contender, SealedRank rank, long leaseNanos, long number, long heardNanos) {
    private static final Comparator<Waiter> ORDER =
        Comparator.comparingLong((Waiter waiter) -> waiter.rank.time())
            .thenComparing(waiter -> waiter.contender);
  }

  boolean isEmpty() {
    return byRank.isEmpty();
  }

  int size() {
    return byRank.size();
  }

  /** Takes a waiter in, in the place of what it said before. An overtaken request is ignored. */
  void join(Waiter waiter) {
    Waiter before = byContender.get(waiter.contender());
    if (before == null && byRank.size() >= MAX_WAITERS) {
      return;
    }
    boolean overtaken =
        before != null
            && (before.rank().time() > waiter.rank().time()
                || (before.rank().time() == waiter.rank().time()
                    && before.number() > waiter.number()));
    if (overtaken) {
      return;
    }
    if (before != null) {
      byRank.remove(before);
    }
    byContender.put(waiter.contender(), waiter);
    byRank.add(waiter);
  }

  /** Takes the contender out if it waits with this attempt or an earlier one. */
  void withdraw(Contender contender, long time) {
    Waiter waiter = byContender.get(contender);
    if (waiter != null && waiter.rank().time() <= time) {
      remove(waiter);
    }
  }

  /** The one with the lowest rank, or null. It stays in the list. */
  @Nullable Waiter lowest() {
    return byRank.isEmpty() ? null : byRank.first();
  }

  /** The first of them, as others are told. */
  ImmutableList<LockView.User> first(int most) {
    return byRank.stream()
        .limit(most)
        .map(waiter -> waiter.contender().user())
        .collect(ImmutableList.toImmutableList());
  }

  void remove(Waiter waiter) {
    byRank.remove(waiter);
    byContender.remove(waiter.contender());
  }
}
