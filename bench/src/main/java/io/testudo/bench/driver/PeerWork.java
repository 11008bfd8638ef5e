package io.testudo.bench.driver;

import java.util.List;
import java.util.Locale;

/**
 * What is asked of all systems alike, and how.
 *
 * @param callers how many have one operation under way each
 * @param objects how many locks or counters they use; caller i uses that of i modulo this
 */
public record PeerWork(Kind kind, Use use, Sharing sharing, int callers, int objects) {
  private static final int WORDS = 5;

  public PeerWork {
    if (callers < 1 || objects < 1 || objects > callers) {
      throw new IllegalArgumentException(
          "%d callers cannot use %d objects".formatted(callers, objects));
    }
  }

  /** Of what. */
  public enum Kind {
    /** Lock, an empty section, unlock. */
    LOCK,
    /** One more. */
    INCREMENT
  }

  /** How a caller waits. */
  public enum Use {
    /** A thread for each caller, in calls that block. */
    BLOCKING,
    /** Futures, and what is chained to them. */
    ASYNC
  }

  /** Who shares a client object. */
  public enum Sharing {
    /** All callers use one. */
    SHARED,
    /** Each caller has its own. */
    SEPARATE
  }

  /** How many client objects it takes. */
  public int clients() {
    return sharing == Sharing.SHARED ? 1 : callers;
  }

  /** As in options, rows and the lines to drivers. */
  public static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** The words that {@link #parse} reads. */
  public String line() {
    return "%s %s %s %d %d".formatted(word(kind), word(use), word(sharing), callers, objects);
  }

  /**
   * Reads what {@link #line} wrote.
   *
   * @throws IllegalArgumentException if it did not
   */
  public static PeerWork parse(List<String> words) {
    if (words.size() != WORDS) {
      throw new IllegalArgumentException(
          "work is said in %d words, not %s".formatted(WORDS, words));
    }
    return new PeerWork(
        Kind.valueOf(words.get(0).toUpperCase(Locale.ROOT)),
        Use.valueOf(words.get(1).toUpperCase(Locale.ROOT)),
        Sharing.valueOf(words.get(2).toUpperCase(Locale.ROOT)),
        Integer.parseInt(words.get(3)),
        Integer.parseInt(words.get(4)));
  }
}
