package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.Message;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Server to client: so far my ranks went.
 *
 * @param known whether the server has its memory; else it grants nothing until it is told
 */
public record Ceilings(long nonce, boolean known, Ranks ranks) implements Message {
  /** More locks than this are never ahead of a server's clock. */
  public static final int MAX_NAMED = RankLedger.MAX_NAMED;

  /**
   * Bounds of ranks.
   *
   * @param time no lock was granted beyond it
   * @param named but these, which were not granted beyond theirs
   */
  public record Ranks(long time, ImmutableMap<String, Long> named) {
    public Ranks {
      checkArgument(time >= 0 && time <= RankClock.MAX_TIME, "the time %s is out of range", time);
      checkArgument(named.size() <= MAX_NAMED, "%s locks are too many", named.size());
      named.forEach(
          (lock, bound) -> {
            LockNames.check(lock);
            RankClock.check(bound);
          });
    }

    /** This lock was not granted beyond it. */
    public long of(String lock) {
      return Math.max(time, named.getOrDefault(lock, 0L));
    }
  }

  /**
   * What a server that lost its memory has to go above. Whatever it had granted and forgotten, as
   * many others as vouch for something granted, too, and have not forgotten: a lock is held by more
   * than twice as many as may fail, of whom one is that server and the rest of those that may fail
   * are one less. So the ceiling is the one that so many reach.
   *
   * @return empty if too few answered that have their memory
   */
  public static Optional<Ranks> vouched(Collection<Ceilings> answers, Thresholds thresholds) {
    List<Ranks> heard = answers.stream().filter(Ceilings::known).map(Ceilings::ranks).toList();
    if (heard.size() < answersNeeded(thresholds)) {
      return Optional.empty();
    }
    Set<String> names = new TreeSet<>();
    heard.forEach(ranks -> names.addAll(ranks.named().keySet()));
    long time = vouched(heard, Ranks::time, thresholds);
    ImmutableMap.Builder<String, Long> named = ImmutableMap.builder();
    names.stream()
        .filter(name -> vouched(heard, ranks -> ranks.of(name), thresholds) > time)
        .limit(MAX_NAMED)
        .forEach(name -> named.put(name, vouched(heard, ranks -> ranks.of(name), thresholds)));
    return Optional.of(new Ranks(time, named.buildOrThrow()));
  }

  /** All that answer for sure; where no server may fail, all others. */
  public static int answersNeeded(Thresholds thresholds) {
    return Math.min(thresholds.largestQuorum(), thresholds.servers() - 1);
  }

  private static long vouched(
      List<Ranks> heard, ToLongFunction<Ranks> bound, Thresholds thresholds) {
    return heard.stream()
        .map(bound::applyAsLong)
        .sorted(Comparator.reverseOrder())
        .skip(thresholds.vouchers() - 1L)
        .findFirst()
        .orElse(0L);
  }
}
