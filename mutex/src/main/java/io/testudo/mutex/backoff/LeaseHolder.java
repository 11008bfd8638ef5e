package io.testudo.mutex.backoff;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.backoff.Acquisition.Phase;
import io.testudo.mutex.backoff.Acquisition.Renewal;
import io.testudo.mutex.backoff.Attempt.Word;
import io.testudo.mutex.protocol.Contenders;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Release;
import io.testudo.mutex.protocol.Renew;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.TimerKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of the client half that begins when a lock is held: renewal, release and loss. What the
 * other part needs of the same state is here, too.
 */
abstract class LeaseHolder extends Machine<ServerId> {
  private static final int MAX_RENEWALS = 64;

  private static final int MAX_ENDED = 256;

  /** A lease is renewed when so much of its hold has passed. */
  static final int RENEWALS_PER_HOLD = 3;

  static final long LEAST_DELAY_NANOS = 1_000L;

  record Due(long acquisition) implements TimerKey {}

  final Thresholds thresholds;
  final LockTiming timing;
  final Pace pace;
  final Agenda agenda;
  final Contenders contenders = new Contenders();
  final Map<Long, Acquisition> acquisitions = new HashMap<>();

  /** Those with a live attempt or lease, by the time of its rank. */
  final Map<Long, Acquisition> byTime = new HashMap<>();

  /** Those that ended last: answers that come too late show how long answers take. */
  private final Map<Long, Attempt> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Attempt> eldest) {
          return size() > MAX_ENDED;
        }
      };

  LeaseHolder(Thresholds thresholds, LockTiming timing, BackoffTuning tuning) {
    this.thresholds = thresholds;
    this.timing = timing;
    this.pace = new Pace(timing, tuning, thresholds);
    this.agenda = new Agenda(timing, tuning, pace);
    onCall(Renew.class, this::onRenew);
    onCall(Release.class, this::onRelease);
  }

  /** A server has answered a request, be it in time or not. */
  final void sawAnswer(ServerId from, long time, long number) {
    Acquisition acquisition = byTime.get(time);
    Attempt attempt = acquisition == null ? ended.get(time) : acquisition.attempt();
    Term requested = attempt == null ? null : attempt.requested(number);
    if (requested != null) {
      pace.sawAnswer(from, now().nanos() - requested.start().nanos());
    }
  }

  private void onRenew(CallId<Term> call, Renew renew) {
    Acquisition acquisition = heldBy(renew.token(), renew.lock());
    if (acquisition == null) {
      fail(call, new LeaseLostException(renew.lock()));
    } else if (renew.holdNanos() > timing.maxHoldNanos()) {
      String limit = "a hold may last %d ms at most".formatted(timing.maxHoldNanos() / 1_000_000);
      fail(call, new LockRefusedException(renew.lock(), limit));
    } else if (acquisition.renewals.size() >= MAX_RENEWALS) {
      fail(call, new OverloadedException("renewals of one lease", MAX_RENEWALS));
    } else {
      long giveUpNanos = now().nanos() + pace.windowNanos();
      acquisition.renewals.add(
          new Renewal(call, prolong(acquisition, renew.holdNanos()), giveUpNanos));
      schedule(acquisition);
    }
  }

  private Term prolong(Acquisition acquisition, long holdNanos) {
    Attempt attempt = acquisition.attempt();
    long leaseNanos = pace.leaseNanos(holdNanos);
    long number = attempt.request(now(), leaseNanos);
    sendAll(
        attempt.asked,
        new Prolong(acquisition.lock(), acquisition.contender, attempt.time, leaseNanos, number));
    return new Term(now(), leaseNanos);
  }

  /** Takes a longer term from renewals; one that comes after the end comes too late. */
  final void extend(Acquisition acquisition) {
    if (acquisition.term().isOver(now())) {
      lose(acquisition);
      return;
    }
    Attempt attempt = acquisition.attempt();
    Term term = attempt.granted(now());
    if (term != null && term.remainingNanos(now()) > acquisition.term().remainingNanos(now())) {
      acquisition.term = term;
      tell(new LeaseRenewed(acquisition.lock(), attempt.time, term));
    }
    for (Renewal renewal : List.copyOf(acquisition.renewals)) {
      if (acquisition.term().remainingNanos(now()) >= renewal.term().remainingNanos(now())) {
        acquisition.renewals.remove(renewal);
        complete(renewal.call(), acquisition.term());
      }
    }
  }

  private void onRelease(CallId<Boolean> call, Release release) {
    Acquisition acquisition = heldBy(release.token(), release.lock());
    if (acquisition == null) {
      complete(call, false);
      return;
    }
    pace.sawOccupancy(now().nanos() - acquisition.enteredNanos);
    endAttempt(acquisition);
    endRenewals(acquisition);
    forget(acquisition);
    complete(call, true);
  }

  /** The acquisition whose lease this is, if it is not over. */
  private @Nullable Acquisition heldBy(long token, String lock) {
    Acquisition acquisition = byTime.get(token);
    if (acquisition == null
        || acquisition.phase != Phase.HELD
        || !acquisition.lock().equals(lock)) {
      return null;
    }
    if (acquisition.term().isOver(now())) {
      lose(acquisition);
      return null;
    }
    return acquisition;
  }

  /** The servers are not told: their clocks free the lock, and not before ours may err. */
  private void lose(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    byTime.remove(attempt.time);
    tell(new LeaseLost(acquisition.lock(), attempt.time));
    endRenewals(acquisition);
    forget(acquisition);
  }

  private void endRenewals(Acquisition acquisition) {
    for (Renewal renewal : acquisition.renewals) {
      fail(renewal.call(), new LeaseLostException(acquisition.lock()));
    }
    acquisition.renewals.clear();
  }

  final void onDueWhileHeld(Acquisition acquisition) {
    if (acquisition.term().isOver(now())) {
      lose(acquisition);
      return;
    }
    for (Renewal renewal : List.copyOf(acquisition.renewals)) {
      if (renewal.giveUpNanos() - now().nanos() <= 0) {
        acquisition.renewals.remove(renewal);
        fail(
            renewal.call(),
            new NoQuorumException(
                acquisition.attempt().answered(),
                thresholds.servers(),
                thresholds.consents(),
                Outcome.UNKNOWN));
      }
    }
    if (acquisition.keeps(now()) && acquisition.renewAtNanos - now().nanos() <= 0) {
      prolong(acquisition, acquisition.holdNanos);
      acquisition.renewAtNanos = now().nanos() + acquisition.holdNanos / RENEWALS_PER_HOLD;
    }
    schedule(acquisition);
  }

  /** Withdraws the attempt everywhere: whoever granted it, or will, serves the next. */
  final void endAttempt(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    ServerSet answered = attempt.answered();
    acquisition.heardOf = acquisition.heardOf.union(answered);
    if (now().nanos() - attempt.lastSentNanos() >= pace.windowNanos()) {
      acquisition.silent = attempt.asked.minus(answered);
    }
    byTime.remove(attempt.time);
    ended.put(attempt.time, attempt);
    sendAll(attempt.asked, new GiveBack(acquisition.lock(), acquisition.contender, attempt.time));
  }

  final void forget(Acquisition acquisition) {
    acquisition.phase = Phase.OVER;
    acquisitions.remove(acquisition.id);
    contenders.giveBack(acquisition.lock(), acquisition.contender);
    if (acquisition.timerIsSet) {
      cancelTimer(new Due(acquisition.id));
    }
  }

  /** Sets the one timer of an acquisition for what comes next; one that is set early may stay. */
  final void schedule(Acquisition acquisition) {
    long delayNanos = Math.max(LEAST_DELAY_NANOS, agenda.untilDueNanos(acquisition, now()));
    long dueNanos = now().nanos() + delayNanos;
    if (acquisition.phase == Phase.HELD || !acquisition.timerIsSet || dueNanos - acquisition.timerNanos < 0) {
      acquisition.timerIsSet = true;
      acquisition.timerNanos = dueNanos;
      setTimer(new Due(acquisition.id), delayNanos);
    }
  }

  /** Whether an answer to this attempt of this server would change what is known of it. */
  public final boolean awaits(ServerId from, long time) {
    Acquisition acquisition = byTime.get(time);
    return acquisition != null
        && acquisition.attempt().asked.contains(from)
        && acquisition.attempt().wordOf(from) != Word.FREE;
  }

  /** How many locks are held or wanted. */
  public final int acquisitions() {
    return acquisitions.size();
  }
}
