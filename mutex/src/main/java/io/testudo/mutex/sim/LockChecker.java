package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.spi.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Watches who believes to hold which lock, in true time. A belief begins at the instant in which
 * the client machine completes the call, and ends when the application releases the lock, is told
 * of its loss, dies, or when the client's own clocks say that the term is over. Two beliefs overlap
 * if and only if one of them is alive when the other begins or is renewed, so looking then is
 * exact.
 */
final class LockChecker {
  private final Map<String, List<Belief>> beliefs = new HashMap<>();
  private final Map<String, Long> highestTokens = new HashMap<>();
  private final boolean fencesGrow;
  private long entries;

  LockChecker() {
    this(true);
  }

  /** A checker that may let tokens fall, where nothing is promised of them. */
  LockChecker(boolean fencesGrow) {
    this.fencesGrow = fencesGrow;
  }

  /** How often a lock was entered. */
  long entries() {
    return entries;
  }

  /** A client enters, at this instant. */
  Belief entered(ClientId client, Ticker clock, Held held) {
    Belief belief = new Belief(client, held.token(), clock, held.term());
    if (!belief.isHeldNow()) {
      throw Violation.safety(belief + " gets the lock '" + held.lock() + "' after its term");
    }
    checkAlone(held.lock(), belief);
    Long highest = highestTokens.put(held.lock(), held.token());
    if (fencesGrow && highest != null && highest >= held.token()) {
      throw Violation.safety(
          "%s enters '%s' after one with token %d".formatted(belief, held.lock(), highest));
    }
    beliefsIn(held.lock()).add(belief);
    entries++;
    return belief;
  }

  /** The lease of a client lasts longer, from this instant on. */
  void renewed(ClientId client, String lock, long token, Term term) {
    Belief belief = find(client, lock, token);
    if (belief == null) {
      throw Violation.safety(
          "%s renews '%s' with token %d, which it does not hold".formatted(client, lock, token));
    }
    if (belief.renew(term)) {
      throw Violation.safety("a renewal moves the end of " + belief + " back");
    }
    if (belief.isHeldNow()) {
      checkAlone(lock, belief);
    }
  }

  /** A client has left, or was told that it lost the lock. False if it did not believe any more. */
  boolean left(ClientId client, String lock, long token) {
    Belief belief = find(client, lock, token);
    return belief != null && beliefsIn(lock).remove(belief) && belief.isHeldNow();
  }

  /** After this long its monotonic clock alone tells a client that its lease is over. */
  long endsWithinNanos(ClientId client, String lock, long token) {
    Belief belief = find(client, lock, token);
    return belief == null ? 0 : Math.max(0, belief.endsWithinNanos());
  }

  /** Whether a lease was neither left nor told to be lost, be it over or not. */
  boolean knows(ClientId client, String lock, long token) {
    return find(client, lock, token) != null;
  }

  void died(ClientId client) {
    beliefs.values().forEach(all -> all.removeIf(belief -> belief.client.equals(client)));
  }

  private void checkAlone(String lock, Belief belief) {
    for (Belief other : beliefsIn(lock)) {
      if (other != belief && other.isHeldNow()) {
        throw Violation.safety(
            "two hold '%s' at once: %s for another %d us, and %s"
                .formatted(lock, other, other.remainingNanos() / 1_000, belief));
      }
    }
  }

  private @Nullable Belief find(ClientId client, String lock, long token) {
    for (Belief belief : beliefsIn(lock)) {
      if (belief.token == token && belief.client.equals(client)) {
        return belief;
      }
    }
    return null;
  }

  private List<Belief> beliefsIn(String lock) {
    return beliefs.computeIfAbsent(lock, any -> new ArrayList<>());
  }
}
