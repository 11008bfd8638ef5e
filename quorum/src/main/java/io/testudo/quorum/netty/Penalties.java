package io.testudo.quorum.netty;

import io.testudo.quorum.protocol.BoundedMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Whom a server does not listen to for a while: principals on whose messages a machine threw. Each
 * time costs a restart of the machine, so each makes the while twice as long.
 */
final class Penalties {
  static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

  /** Principals that are remembered; then the one whose penalty is oldest is forgotten. */
  static final int MAX_REMEMBERED = 1_024;

  private final Map<String, Penalty> penalties = BoundedMap.byAge(MAX_REMEMBERED);

  /** So that nobody waits for the lock while nobody is punished. */
  private volatile boolean any;

  private record Penalty(long nanos, long untilNanos) {}

  /** A machine threw on what this principal said. */
  synchronized void punish(String principal, long nowNanos) {
    Penalty last = penalties.remove(principal);
    long nanos = FIRST_NANOS;
    if (last != null && nowNanos - last.untilNanos < LONGEST_NANOS) {
      nanos = Math.min(LONGEST_NANOS, 2 * last.nanos);
    }
    penalties.put(principal, new Penalty(nanos, nowNanos + nanos));
    any = true;
  }

  /** Whether anybody ever was. */
  boolean any() {
    return any;
  }

  boolean isPunished(String principal, long nowNanos) {
    if (!any) {
      return false;
    }
    synchronized (this) {
      Penalty penalty = penalties.get(principal);
      return penalty != null && nowNanos - penalty.untilNanos < 0;
    }
  }
}
