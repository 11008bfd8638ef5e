package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;

/** A lock that is held, from the moment of entering to the end. */
public final class KeptLease {
  /** A lease is renewed when so much of its hold has passed. */
  private static final int RENEWALS_PER_HOLD = 3;

  /**
   * A call to renew that waits for its answers.
   *
   * @param term what it asked for
   */
  record Renewal(CallId<Term> call, Term term, long giveUpNanos) {}

  final String lock;
  final long token;
  final long holdNanos;
  final LeaseGrants grants;
  final List<Renewal> renewals = new ArrayList<>(0);
  private final long keepNanos;
  private final long enteredNanos;
  private Term term;
  private long renewAtNanos;

  KeptLease(
      String lock,
      long token,
      Term term,
      long holdNanos,
      long keepNanos,
      LeaseGrants grants,
      Moment now) {
    this.lock = lock;
    this.token = token;
    this.term = term;
    this.holdNanos = holdNanos;
    this.keepNanos = keepNanos;
    this.grants = grants;
    this.enteredNanos = now.nanos();
    wasRenewed(now);
  }

  /** The fencing token. */
  public long token() {
    return token;
  }

  /** Until when it lasts. */
  public Term term() {
    return term;
  }

  /** How long the lock has been held. */
  public long heldNanos(Moment now) {
    return now.nanos() - enteredNanos;
  }

  /** Takes a term if it lasts longer. */
  boolean take(Term other, Moment now) {
    if (other.remainingNanos(now) <= term.remainingNanos(now)) {
      return false;
    }
    term = other;
    return true;
  }

  /** The next renewal comes after a part of the hold. */
  void wasRenewed(Moment now) {
    renewAtNanos = now.nanos() + holdNanos / RENEWALS_PER_HOLD;
  }

  boolean isRenewalDue(Moment now) {
    return keeps(now) && renewAtNanos - now.nanos() <= 0;
  }

  /** Whether it is to be renewed without being asked. */
  private boolean keeps(Moment now) {
    return heldNanos(now) < keepNanos;
  }

  /** How long from now until something is due. */
  long untilDueNanos(Moment now) {
    long dueNanos = term.remainingNanos(now);
    if (keeps(now)) {
      dueNanos = Math.min(dueNanos, renewAtNanos - now.nanos());
    }
    for (Renewal renewal : renewals) {
      dueNanos = Math.min(dueNanos, renewal.giveUpNanos() - now.nanos());
    }
    return dueNanos;
  }
}
