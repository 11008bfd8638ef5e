package io.testudo.mutex.dht.vote;

import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The messages by which a request has asked for votes, and the lease that each asked for. */
public final class SentMessages {
  /** Messages older than so many others are useless: their leases are over. */
  private static final int MAX_SENT = 16;

  private record Sent(long attempt, Term lease) {}

  private final Deque<Sent> sent = new ArrayDeque<>();
  private long lastAttempt;

  /** None yet. */
  public SentMessages() {}

  /** Numbers a message that goes out now, and notes the lease that it asks for. */
  public long next(Moment now, long leaseNanos) {
    if (sent.size() == MAX_SENT) {
      sent.removeFirst();
    }
    lastAttempt++;
    sent.addLast(new Sent(lastAttempt, new Term(now, leaseNanos)));
    return lastAttempt;
  }

  /** How long ago a message went out; for ever if that is not known. */
  public long agoNanos(long attempt, Moment now) {
    for (Sent one : sent) {
      if (one.attempt() == attempt) {
        return now.nanos() - one.lease().start().nanos();
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * Until when a vote lasts that was given with the lease of a message; null if that is not known.
   *
   * @param waitedNanos how long the message had waited before, at least, by the clock here
   */
  @Nullable Term leaseOf(long attempt, long waitedNanos, Moment now) {
    for (Sent one : sent) {
      if (one.attempt() == attempt) {
        Term lease = one.lease();
        long extra = Math.max(0, Math.min(waitedNanos, lease.elapsedNanos(now)));
        return new Term(lease.start(), lease.lengthNanos() + extra);
      }
    }
    return null;
  }
}
