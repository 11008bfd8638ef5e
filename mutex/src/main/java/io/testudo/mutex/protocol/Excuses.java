package io.testudo.mutex.protocol;

import com.google.common.collect.ImmutableMap;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.Moment;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What servers gave as the reason why they do not grant a lock that nobody may have: the last word
 * of each. A caller who has waited in vain is shown it; nothing else follows from it, since a liar
 * may say anything.
 */
public final class Excuses {
  /** What a server says that grants no lock before somebody has told it what it forgot. */
  public static final long UNTIL_TOLD = Long.MAX_VALUE;

  /** No lease is as long: who says that it waits for longer waits for an operator, or lies. */
  private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(1);

  private static final String FORGETFUL =
      "lost its memory and grants no locks before an operator has told it how far ranks went";

  /**
   * One server's word.
   *
   * @param untilNanos when it is over, on the own clock
   */
  private record Excuse(String why, boolean isTimed, long untilNanos) {
    String words(Moment now) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(untilNanos - now.nanos()) + 1;
      return isTimed ? "%s for another %d s".formatted(why, seconds) : why;
    }
  }

  private final Map<ServerId, Excuse> given = new TreeMap<>();

  public Excuses() {}

  /** It has started again, and does not grant until all that it may have granted is over. */
  public void quarantined(ServerId from, long nanos, Moment now) {
    given.put(
        from,
        nanos > LONGEST_NANOS
            ? new Excuse(FORGETFUL, false, 0)
            : new Excuse("restarted and grants no locks", true, now.nanos() + nanos));
  }

  /** It refuses what was asked. */
  public void refused(ServerId from, String why) {
    given.put(from, new Excuse("refuses it: " + why, false, 0));
  }

  /** It has said something else. */
  public void none(ServerId from) {
    given.remove(from);
  }

  /** Those that gave any, also if it is over. */
  public ServerSet servers() {
    return ServerSet.of(given.keySet().toArray(new ServerId[0]));
  }

  /** What is not over, in words that follow the names of the servers. */
  public ImmutableMap<ServerId, String> told(Moment now) {
    ImmutableMap.Builder<ServerId, String> told = ImmutableMap.builder();
    given.forEach(
        (server, excuse) -> {
          if (!excuse.isTimed() || excuse.untilNanos() - now.nanos() > 0) {
            told.put(server, excuse.words(now));
          }
        });
    return told.buildOrThrow();
  }
}
