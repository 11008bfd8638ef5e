package io.testudo.bench.strawman;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Moment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call for a lock, from the first attempt to the end of the lease. */
final class Turn {
  /** Where a call for a lock stands. */
  enum Phase {
    /** The servers were asked. */
    TRYING,
    /** It lost, and sleeps before it asks again. */
    SLEEPING,
    /** The lock is held. */
    HELD
  }

  /** A request that went to all servers; enough grants of the same one make its term count. */
  static final class Round {
    final long number;
    final Term term;
    final long giveUpNanos;

    /** Of the application that asked to renew; null if nobody waits for it. */
    @Nullable CallId<Term> call;

    ServerSet granted = ServerSet.none();
    ServerSet rejected = ServerSet.none();

    Round(long number, Term term, long giveUpNanos) {
      this.number = number;
      this.term = term;
      this.giveUpNanos = giveUpNanos;
    }

    boolean isOverdue(Moment now) {
      return giveUpNanos - now.nanos() <= 0;
    }
  }

  final CallId<Held> call;
  final Acquire wish;
  final Moment begun;

  /** Those that wait for grants, the eldest first. */
  final Map<Long, Round> rounds = new LinkedHashMap<>();

  Phase phase = Phase.SLEEPING;
  long attempt;
  long lastNumber;
  long wakeNanos;

  /** All servers that answered any attempt. */
  ServerSet heardOf = ServerSet.none();

  /** Whether so many servers rejected an attempt that it could not succeed. */
  boolean wasOutvoted;

  /** While held: the fencing token, until when, and when to renew next. */
  long token;

  @Nullable Term term;
  long enteredNanos;
  long renewAtNanos;

  Turn(CallId<Held> call, Acquire wish, Moment begun) {
    this.call = call;
    this.wish = wish;
    this.begun = begun;
  }

  long id() {
    return call.number();
  }

  String lock() {
    return wish.lock();
  }

  Term term() {
    if (term == null) {
      throw new IllegalStateException("the lock is not held");
    }
    return term;
  }

  /** Whether more than the one attempt is wanted. */
  boolean mayTryAgain() {
    return wish.waitNanos() > 0;
  }

  /** How long the caller is still ready to wait. */
  long patienceNanos(Moment now) {
    return wish.waitNanos() == Acquire.FOREVER || !mayTryAgain()
        ? Long.MAX_VALUE
        : wish.waitNanos() - (now.nanos() - begun.nanos());
  }

  /** Whether the lease is to be renewed without being asked. */
  boolean keeps(Moment now) {
    return now.nanos() - enteredNanos < wish.keepNanos();
  }

  boolean hasOverdueRound(Moment now) {
    return rounds.values().stream().anyMatch(round -> round.isOverdue(now));
  }

  /** How long from now until something is due. */
  long untilDueNanos(Moment now) {
    long dueNanos =
        switch (phase) {
          case TRYING -> patienceNanos(now);
          case SLEEPING -> Math.min(patienceNanos(now), wakeNanos - now.nanos());
          case HELD -> term().remainingNanos(now);
        };
    if (phase == Phase.HELD && keeps(now)) {
      dueNanos = Math.min(dueNanos, renewAtNanos - now.nanos());
    }
    for (Round round : rounds.values()) {
      dueNanos = Math.min(dueNanos, round.giveUpNanos - now.nanos());
    }
    return dueNanos;
  }
}
