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
   * What servers that lost their memory have to go above: of what they had granted and forgotten,
   * the others that granted it, too, tell. As many of these as are heard for sure reach the ceiling
   * that counts, and liars alone do not.
   *
   * @param answers of all that answered, those that lost their memory among them
   * @return empty if too few answered that have their memory
   */
  public static Optional<Ranks> vouched(Collection<Ceilings> answers, Thresholds thresholds) {
    List<Ranks> heard = answers.stream().filter(Ceilings::known).map(Ceilings::ranks).toList();
    int forgetful = forgetful(answers);
    if (heard.size() < answersNeeded(answers, thresholds)) {
      return Optional.empty();
    }
    int vouchers =
        Math.min(thresholds.vouchers(), thresholds.thatRemember(heard.size(), forgetful));
    Set<String> names = new TreeSet<>();
    heard.forEach(ranks -> names.addAll(ranks.named().keySet()));
    long time = vouched(heard, Ranks::time, vouchers);
    ImmutableMap.Builder<String, Long> named = ImmutableMap.builder();
    names.stream()
        .filter(name -> vouched(heard, ranks -> ranks.of(name), vouchers) > time)
        .limit(MAX_NAMED)
        .forEach(name -> named.put(name, vouched(heard, ranks -> ranks.of(name), vouchers)));
    return Optional.of(new Ranks(time, named.buildOrThrow()));
  }

  /** One that does not answer is there at least, or nobody would ask. */
  private static int forgetful(Collection<Ceilings> answers) {
    return (int) Math.max(1, answers.stream().filter(answer -> !answer.known()).count());
  }

  /**
   * How many have to answer that have their memory: all that do for sure, where no server may fail
   * all others; and so many that more of them remember than may lie.
   */
  public static int answersNeeded(Collection<Ceilings> answers, Thresholds thresholds) {
    int others = thresholds.servers() - 1;
    int needed = Math.min(thresholds.largestQuorum(), others);
    int forgetful = forgetful(answers);
    while (needed < others
        && thresholds.thatRemember(needed, forgetful) <= thresholds.liarsBeside(forgetful)) {
      needed++;
    }
    return needed;
  }

  private static long vouched(List<Ranks> heard, ToLongFunction<Ranks> bound, int vouchers) {
    return heard.stream()
        .map(bound::applyAsLong)
        .sorted(Comparator.reverseOrder())
        .skip(Math.max(1, vouchers) - 1L)
        .findFirst()
        .orElse(0L);
  }
}
