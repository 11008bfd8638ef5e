package io.testudo.mutex;

import java.time.Duration;
import java.util.Optional;

/**
 * How a lock is asked for. Immutable.
 *
 * @param hold how long the lock is wanted after entry, unless renewed; a holder that died keeps it
 *     that long
 * @param usualHold whether nobody chose the hold: servers that grant less are asked for less
 * @param maxWait how long to wait for it; without limit if empty
 * @param autoRenewal for how long after entry the lease is renewed without being asked; zero for
 *     never, {@link #WITHOUT_END} as long as the process lives. It limits how long a thread that
 *     hangs can keep the lock
 * @param servers whom a request goes to
 * @param backend the protocol; the client's first one if empty
 * @param persistent whether to try again without backing off. One client that contends again and
 *     again may do so; several would keep each other out
 * @param reentrant whether a thread that has locked a {@link DistributedLock} may lock that object
 *     again
 */
public record LockOptions(
    Duration hold,
    boolean usualHold,
    Optional<Duration> maxWait,
    Duration autoRenewal,
    Servers servers,
    Optional<String> backend,
    boolean persistent,
    boolean reentrant) {
  private static final Duration STANDARD_HOLD = Duration.ofSeconds(10);
  private static final Duration STANDARD_RENEWAL = Duration.ofMinutes(5);

  /** The longest of these times: a year. Beyond it sums of them could overflow. */
  public static final Duration MAX_TIME = Duration.ofDays(365);

  /** Of a renewal that ends only with the lease or the process. */
  public static final Duration WITHOUT_END = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  /** Whom a request goes to. */
  public enum Servers {
    /** All, or a quorum first, as the deployment says: all unless it says otherwise. */
    CONFIGURED,
    /** All servers: the fewest are needed, 3b+1. */
    ALL,
    /**
     * One quorum, and the others as soon as one of it is late, refuses or denies. Servers have less
     * load, no more of them are needed, and what counts is the same: any client may choose it.
     */
    QUORUM_FIRST,
    /** One quorum of them, as in the paper: less load and no waiting for the slowest, from 5b+1. */
    QUORUM
  }

  public LockOptions {
    checkTime("hold", hold);
    if (hold.isZero()) {
      throw new IllegalArgumentException("A hold of zero holds nothing; choose a longer one.");
    }
    maxWait.ifPresent(limit -> checkTime("wait", limit));
    if (!autoRenewal.equals(WITHOUT_END)) {
      checkTime("renewal", autoRenewal);
    }
  }

  private static void checkTime(String what, Duration time) {
    if (time.isNegative() || time.compareTo(MAX_TIME) > 0) {
      throw new IllegalArgumentException(
          "A %s of %s is not from zero to a year; choose another.".formatted(what, time));
    }
  }

  /**
   * Holds of ten seconds, or of what the servers grant if that is less, that are renewed for up to
   * five minutes; waits without limit; asks all servers unless the deployment says otherwise; backs
   * off; not reentrant.
   */
  public static LockOptions standard() {
    return new LockOptions(
        STANDARD_HOLD,
        true,
        Optional.empty(),
        STANDARD_RENEWAL,
        Servers.CONFIGURED,
        Optional.empty(),
        false,
        false);
  }

  /** Refused by servers that grant less. */
  public LockOptions withHold(Duration newHold) {
    return withHold(newHold, false);
  }

  /** These options where servers grant holds up to the longest: the usual hold is no longer. */
  public LockOptions within(Duration longest) {
    return usualHold && hold.compareTo(longest) > 0 ? withHold(longest, true) : this;
  }

  private LockOptions withHold(Duration newHold, boolean usual) {
    return new LockOptions(
        newHold, usual, maxWait, autoRenewal, servers, backend, persistent, reentrant);
  }

  /** Gives up after so long; zero tries once. */
  public LockOptions withMaxWait(Duration limit) {
    return new LockOptions(
        hold, usualHold, Optional.of(limit), autoRenewal, servers, backend, persistent, reentrant);
  }

  public LockOptions withoutMaxWait() {
    return new LockOptions(
        hold, usualHold, Optional.empty(), autoRenewal, servers, backend, persistent, reentrant);
  }

  /** Renews the lease by itself, up to so long after entry. */
  public LockOptions withAutoRenewal(Duration upTo) {
    return new LockOptions(hold, usualHold, maxWait, upTo, servers, backend, persistent, reentrant);
  }

  /**
   * Renews the lease by itself until it is closed or lost: for whoever is told of losses and may
   * hold it for days, such as a leader. A thread that hangs keeps it as long as its process lives.
   */
  public LockOptions withEndlessRenewal() {
    return withAutoRenewal(WITHOUT_END);
  }

  public LockOptions withoutAutoRenewal() {
    return withAutoRenewal(Duration.ZERO);
  }

  public LockOptions withServers(Servers asked) {
    return new LockOptions(
        hold, usualHold, maxWait, autoRenewal, asked, backend, persistent, reentrant);
  }

  /** Uses the protocol of this name; the client must have been given it. */
  public LockOptions withBackend(String name) {
    return new LockOptions(
        hold, usualHold, maxWait, autoRenewal, servers, Optional.of(name), persistent, reentrant);
  }

  public LockOptions withPersistence(boolean triesWithoutBackoff) {
    return new LockOptions(
        hold, usualHold, maxWait, autoRenewal, servers, backend, triesWithoutBackoff, reentrant);
  }

  public LockOptions withReentrance(boolean mayEnterAgain) {
    return new LockOptions(
        hold, usualHold, maxWait, autoRenewal, servers, backend, persistent, mayEnterAgain);
  }
}
