package io.testudo.mutex.sigma;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Excuses;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call for a lock, from its request to the end of the lease. */
final class Acquisition {
  /** Where a call for a lock stands: the sections of the papers. */
  enum Phase {
    /** It collects grants, or waits in the servers' queues. */
    TRYING,
    /** The lock is held. */
    HELD,
    /** All is over; nothing more happens. */
    OVER
  }

  /**
   * A call to renew that waits for its answers.
   *
   * @param term what it asked for
   */
  record Renewal(CallId<Term> call, Term term, long giveUpNanos) {}

  final CallId<Held> call;
  final Acquire wish;

  /** Tells the contenders of this process for one lock apart; used again when it is over. */
  final int contender;

  final Epoch epoch;
  final Moment begun;
  final List<Renewal> renewals = new ArrayList<>(0);

  /** Why servers do not grant it, as they say. */
  final Excuses excuses = new Excuses();

  Phase phase = Phase.TRYING;

  /** Since when it has grants and cannot enter; meaningless if it does not. */
  long stuckNanos;

  boolean isStuck;

  /** How long it waits for one that has enough before it makes way, and since when. */
  long patienceNanos;

  long behindNanos;
  boolean isBehind;

  /** While held: the token, until when, since when, and when to renew next. */
  long token;

  @Nullable Term term;
  long enteredNanos;
  long renewAtNanos;

  /** For when the timer of this acquisition is set, if it is. */
  long timerNanos;

  boolean timerIsSet;

  Acquisition(CallId<Held> call, Acquire wish, int contender, Epoch epoch, Moment begun) {
    this.call = call;
    this.wish = wish;
    this.contender = contender;
    this.epoch = epoch;
    this.begun = begun;
  }

  String lock() {
    return wish.lock();
  }

  /** The time of its request names an acquisition within this process. */
  long id() {
    return epoch.time;
  }

  boolean triesOnce() {
    return wish.waitNanos() == 0;
  }

  /** What is left of the wait; without end for one that waits for ever. */
  long patienceLeftNanos(Moment now, long windowNanos) {
    if (wish.waitNanos() == Acquire.FOREVER) {
      return Long.MAX_VALUE;
    }
    long limitNanos = triesOnce() ? windowNanos : wish.waitNanos();
    return limitNanos - (now.nanos() - begun.nanos());
  }

  /** Whether the lease is to be renewed without being asked. */
  boolean keeps(Moment now) {
    return now.nanos() - enteredNanos < wish.keepNanos();
  }

  Term term() {
    if (term == null) {
      throw new IllegalStateException("the lock is not held");
    }
    return term;
  }
}
