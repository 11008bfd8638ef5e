package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What one epoch of a contender knows of one server: resp[j] of Figure 1, with what was sent there.
 * States of a server are told apart by their grant ids: within an incarnation the higher number is
 * the later state, so what arrives late is recognised.
 */
final class Seat {
  /** Messages older than so many others are useless: their leases are over. */
  private static final int MAX_SENT = 32;

  /** Whom the server supports, as far as is known. */
  enum State {
    /** Nothing is known, or what was known is no longer believed. */
    UNHEARD,
    /** This epoch. */
    MINE,
    /** This epoch, but it has yielded that grant. */
    YIELDED,
    /** Another. */
    OTHER,
    /** It had granted this epoch, which then entered, and has forgotten it. */
    VOID
  }

  private record Sent(long number, long nanos, @Nullable Term lease) {}

  final ServerId server;
  State state = State.UNHEARD;
  @Nullable GrantId grant;
  Owner owner = Owner.NONE;
  long fence;

  /**
   * How often a grant was taken back, changed its fence by itself, or was not confirmed in time.
   */
  int changes;

  /** Of the leases that the server has named, the one that ends last. */
  @Nullable Term term;

  /** When to ask again unless something is heard. */
  long retryNanos;

  /** How often it was asked since it said something new. */
  int asked;

  /** When it was last sent a message of this kind; null for never. */
  @Nullable Long requestedNanos;

  @Nullable Long yieldedNanos;
  @Nullable Long inquiredNanos;

  /** When it last said whom it supports. */
  long heardNanos;

  /** The highest token that the grant was to be confirmed with, and when; 0 for none. */
  long confirmFence;

  long confirmNanos;
  boolean refused;
  private long lastNumber;
  private long heardEcho;
  private long timedEcho;
  private final Deque<Sent> sent = new ArrayDeque<>();

  Seat(ServerId server) {
    this.server = server;
  }

  /** Numbers a message that goes out now; a lease of 0 is none. */
  long next(Moment now, long leaseNanos) {
    if (sent.size() == MAX_SENT) {
      sent.removeFirst();
    }
    lastNumber++;
    Term lease = leaseNanos > 0 ? new Term(now, leaseNanos) : null;
    sent.addLast(new Sent(lastNumber, now.nanos(), lease));
    return lastNumber;
  }

  /** Whether such a message was ever sent. */
  boolean hasSent(long number) {
    return number <= lastNumber;
  }

  private @Nullable Sent find(long number) {
    Iterator<Sent> newestFirst = sent.descendingIterator();
    while (newestFirst.hasNext()) {
      Sent one = newestFirst.next();
      if (one.number() == number) {
        return one;
      }
    }
    return null;
  }

  /** How long the answer to a message took, the first time that it is answered; else -1. */
  long roundTripNanos(long echo, Moment now) {
    if (echo <= timedEcho) {
      return -1;
    }
    timedEcho = echo;
    Sent one = find(echo);
    return one == null ? -1 : now.nanos() - one.nanos();
  }

  /** Whether a state comes after what is known, or is the same. */
  boolean isPresent(GrantId shown, long echo) {
    if (grant == null) {
      return true;
    }
    // An incarnation that has heard more than the other is not the older one.
    return shown.incarnation() == grant.incarnation()
        ? shown.number() >= grant.number()
        : echo > heardEcho;
  }

  boolean isOfAnotherIncarnation(GrantId shown) {
    return grant != null && grant.incarnation() != shown.incarnation();
  }

  /** Takes over a state that {@link #isPresent}. */
  void show(GrantId shown, long echo, State newState, Owner newOwner, Moment now) {
    heardNanos = now.nanos();
    heardEcho = isOfAnotherIncarnation(shown) ? echo : Math.max(heardEcho, echo);
    boolean another = !shown.equals(grant);
    changes += another && state == State.MINE ? 1 : 0;
    if (another && newState == State.MINE) {
      term = null;
      fence = 0;
      confirmFence = 0;
    }
    if (another) {
      asked = 0;
    }
    grant = shown;
    state = newState;
    owner = newOwner;
  }

  /**
   * The server names the lease of a message, and a fence.
   *
   * @param waitedNanos for so much longer the lease lasts, because the message had waited for its
   *     grant; not more than that may have been, so that no lease lasts longer than was asked for
   * @return false if the fence of the grant has grown by itself, which that of no correct server
   *     does
   */
  boolean granted(long leased, long waitedNanos, long shownFence, Moment now) {
    boolean grewByItself = fence > 0 && shownFence > Math.max(fence, confirmFence);
    changes += grewByItself ? 1 : 0;
    fence = Math.max(fence, shownFence);
    Sent one = find(leased);
    Term named = one == null ? null : waited(one.lease(), waitedNanos, now);
    if (named != null && (term == null || named.remainingNanos(now) > term.remainingNanos(now))) {
      term = named;
    }
    return !grewByItself;
  }

  private static @Nullable Term waited(@Nullable Term lease, long waitedNanos, Moment now) {
    return lease == null
        ? null
        : new Term(
            lease.start(), lease.lengthNanos() + Math.min(waitedNanos, lease.elapsedNanos(now)));
  }

  /** What is left of the lease here; 0 or less if it is over or none was heard of. */
  long remainingNanos(Moment now) {
    return term == null ? 0 : term.remainingNanos(now);
  }

  GrantId grant() {
    if (grant == null) {
      throw new IllegalStateException(server + " has granted nothing");
    }
    return grant;
  }
}
