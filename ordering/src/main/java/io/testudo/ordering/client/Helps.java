package io.testudo.ordering.client;

import io.testudo.quorum.ServerId;
import java.util.HashMap;
import java.util.Map;

/**
 * How often servers were sent what they said they lack. That may be all of the past: one that says
 * so of every proposal waits for longer each time.
 */
final class Helps {
  private static final int MOST_DOUBLINGS = 5;

  private final Map<ServerId, Last> last = new HashMap<>();

  private record Last(int times, long nanos) {}

  /** Whether a server may be sent it now; then it is. */
  boolean mayHelp(ServerId server, long nowNanos, long firstPauseNanos) {
    Last before = last.getOrDefault(server, new Last(0, nowNanos));
    int doublings = Math.min(before.times() - 1, MOST_DOUBLINGS);
    if (before.times() > 0 && nowNanos - before.nanos() < firstPauseNanos << doublings) {
      return false;
    }
    last.put(server, new Last(before.times() + 1, nowNanos));
    return true;
  }
}
