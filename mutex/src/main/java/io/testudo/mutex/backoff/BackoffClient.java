package io.testudo.mutex.backoff;

import io.testudo.mutex.backoff.Attempt.Word;
import io.testudo.mutex.lease.LeaseGrants;
import io.testudo.mutex.lease.LockCall;
import io.testudo.mutex.lease.LockCalls;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.AskedAnew;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Outvoted;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.Access;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.spi.Entropy;
import org.jspecify.annotations.Nullable;

/**
 * The client machine of the backoff mutex: all contenders of one process, for any locks. An attempt
 * asks the servers at a new rank. Enough grants, each for a request that is young enough, make a
 * lease that counts from the oldest of those requests. An attempt that cannot succeed is given back
 * everywhere, and the next one comes after a sleep.
 */
public final class BackoffClient extends Machine<ServerId> {
  private final Thresholds thresholds;
  private final LockTiming timing;
  private final BackoffTuning tuning;
  private final Entropy entropy;
  private final RankClock clock = new RankClock();
  private final Horizon horizon;
  private final Pace pace;
  private final Agenda agenda;
  private final Attempts attempts;
  private final LockCalls<Acquisition> calls;
  private final boolean keepsLate;

  /**
   * Makes a client machine.
   *
   * @param thresholds of {@code BackoffProtocol.ALL_SERVERS} or {@code BackoffProtocol.QUORUMS}
   * @param session of this process, as the servers know it
   */
  public BackoffClient(
      Thresholds thresholds,
      LockTiming timing,
      BackoffTuning tuning,
      long session,
      RankSeals seals,
      Entropy entropy) {
    this(thresholds, Access.ALL, timing, tuning, session, seals, entropy, false);
  }

  /**
   * Makes a client machine.
   *
   * @param access whom it asks first; of no account in mode {@code quorums}, which asks one quorum
   */
  public BackoffClient(
      Thresholds thresholds,
      Access access,
      LockTiming timing,
      BackoffTuning tuning,
      long session,
      RankSeals seals,
      Entropy entropy) {
    this(thresholds, access, timing, tuning, session, seals, entropy, false);
  }

  /**
   * One that may be made unsafe, to measure what safety costs.
   *
   * @param keepsLate whether a lease counts from when its grants came, however late that is: then
   *     two may hold the lock when messages are slow
   */
  BackoffClient(
      Thresholds thresholds,
      Access access,
      LockTiming timing,
      BackoffTuning tuning,
      long session,
      RankSeals seals,
      Entropy entropy,
      boolean keepsLate) {
    this.thresholds = thresholds;
    this.timing = timing;
    this.tuning = tuning;
    this.entropy = entropy;
    this.horizon = new Horizon(clock, seals, timing.maxSkewMillis(), thresholds);
    this.pace = new Pace(timing, tuning, thresholds);
    this.agenda = new Agenda(timing, tuning, pace);
    this.attempts =
        new Attempts(
            this, thresholds, access, timing, pace, agenda, clock, seals, session, entropy);
    this.calls = new LockCalls<>(this, thresholds, timing, new Calls());
    this.keepsLate = keepsLate;
    onMessage(Free.class, this::onFree);
    onMessage(Locked.class, this::onLocked);
    onMessage(Stale.class, this::onStale);
    onMessage(Refused.class, this::onRefused);
  }

  private final class Calls implements LockCalls.Protocol<Acquisition> {
    @Override
    public Acquisition begin(LockCall call) {
      long holdNanos = tuning.holdPerCall() ? call.wish().holdNanos() : timing.maxHoldNanos();
      Acquisition acquisition = new Acquisition(call, holdNanos);
      BackoffClient.this.begin(acquisition);
      return acquisition;
    }

    @Override
    public void due(Acquisition acquisition) {
      onDue(acquisition);
    }

    @Override
    public void withdraw(Acquisition acquisition) {
      if (!acquisition.isSleeping) {
        attempts.end(acquisition);
      }
    }

    @Override
    public ServerSet heardOf(Acquisition acquisition) {
      return acquisition.heardOf;
    }
  }

  /** Starts an attempt at a new rank. */
  private void begin(Acquisition acquisition) {
    attempts.begin(acquisition);
    acquisition.isSleeping = false;
    schedule(acquisition);
  }

  private void onFree(ServerId from, Free free) {
    Acquisition acquisition = attempts.ofTime(free.time());
    if (acquisition == null) {
      attempts.sawAnswer(from, free.time(), free.number());
      // The attempt is dead, and a grant to the dead keeps everybody waiting.
      send(from, new Release(free.lock(), free.contender(), free.time()));
      return;
    }
    Attempt attempt = acquisition.attempt();
    if (!attempt.asked.contains(from) || !free.lock().equals(acquisition.lock())) {
      return;
    }
    if (free.number() > attempt.lastNumber()) {
      tell(new Suspicion(from, "grants a request that was never made"));
      return;
    }
    if (attempt.wordOf(from) == Word.NONE) { // Else it has waited for its turn, and not for us.
      attempts.sawAnswer(from, free.time(), free.number());
    }
    attempt.free(from, free.number(), now());
    if (acquisition.call.isHeld()) {
      calls.keeper().extend(acquisition.call.lease(), attempt.granted(now()));
    } else {
      enterIfGranted(acquisition);
    }
  }

  private void enterIfGranted(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    if (keepsLate && thresholds.isConsent(attempt.saying(Word.FREE))) {
      enter(acquisition, new Term(now(), acquisition.holdNanos));
      return;
    }
    Term term = attempt.granted(now());
    if (term == null) {
      attempts.awaitOthersAgain(attempt);
      schedule(acquisition);
    } else if (term.remainingNanos(now()) >= acquisition.holdNanos) {
      enter(acquisition, term);
    } else {
      // Grants for requests that are too old: the caller would not get what it asked for.
      tryAgainLater(acquisition);
    }
  }

  private void enter(Acquisition acquisition, Term term) {
    Attempt attempt = acquisition.attempt();
    for (ServerId server : attempt.asked) {
      Word word = attempt.wordOf(server);
      if (word != Word.FREE && word != Word.NONE) {
        tellOutvoted(server, acquisition);
      }
    }
    attempts.entered(acquisition);
    calls.enter(
        acquisition.call, acquisition.holdNanos, attempt.time, term, new Grants(acquisition));
  }

  private final class Grants implements LeaseGrants {
    private final Acquisition acquisition;

    Grants(Acquisition acquisition) {
      this.acquisition = acquisition;
    }

    @Override
    public Term prolong(long holdNanos) {
      return attempts.prolong(acquisition, holdNanos);
    }

    @Override
    public long windowNanos() {
      return pace.windowNanos();
    }

    @Override
    public ServerSet answered() {
      return acquisition.attempt().answered();
    }

    @Override
    public void end(boolean isLost) {
      if (isLost) {
        // The servers are not told: their clocks free the lock, and not before ours may err.
        attempts.forget(acquisition);
      } else {
        pace.sawOccupancy(acquisition.call.lease().heldNanos(now()));
        attempts.end(acquisition);
      }
      calls.forget(acquisition.call);
    }
  }

  /** Only of attempts that did not wait: who waits is denied first by everybody. */
  private void tellOutvoted(ServerId server, Acquisition acquisition) {
    if (acquisition.attempt().lastNumber() == 1) {
      tell(new Outvoted(server, acquisition.lock()));
    }
  }

  private void onLocked(ServerId from, Locked locked) {
    Acquisition acquisition =
        denied(from, locked.time(), locked.number(), locked.last(), Word.LOCKED);
    if (acquisition == null) {
      return;
    }
    if (locked.quarantined()) {
      acquisition.call.excuses().quarantined(from, locked.remainingNanos(), now());
    }
    if (agenda.joins(acquisition)) {
      schedule(acquisition);
      return;
    }
    attempts.widen(acquisition);
    if (acquisition.attempt().isOutvoted()) {
      tryAgainLater(acquisition);
    }
  }

  private void onStale(ServerId from, Stale stale) {
    Acquisition acquisition = denied(from, stale.time(), stale.number(), stale.last(), Word.STALE);
    if (acquisition == null) {
      return;
    }
    attempts.widen(acquisition);
    // As long as others may grant it, it ends nothing; see the refresh of those who wait.
    Attempt attempt = acquisition.attempt();
    if (agenda.joins(acquisition) ? attempt.isPassed() : attempt.isOutvoted()) {
      tryAgainAtOnce(acquisition);
    }
  }

  /** Counts a denial; gives the acquisition if it still tries with this attempt. */
  private @Nullable Acquisition denied(
      ServerId from, long time, long number, SealedRank last, Word word) {
    attempts.sawAnswer(from, time, number);
    Acquisition acquisition = attempts.ofTime(time);
    if (acquisition == null || !acquisition.attempt().asked.contains(from)) {
      return null;
    }
    if (number > acquisition.attempt().lastNumber()) {
      tell(new Suspicion(from, "denies a request that was never made"));
      return null;
    }
    if (!horizon.hear(from, acquisition.lock(), last, now())) {
      tell(new Suspicion(from, "shows a rank with a forged seal"));
      return null;
    }
    if (acquisition.call.isHeld()) {
      tellOutvoted(from, acquisition);
      return null;
    }
    acquisition.attempt().deny(from, word, now());
    acquisition.call.excuses().none(from);
    return acquisition;
  }

  private void onRefused(ServerId from, Refused refused) {
    Acquisition acquisition = attempts.ofTime(refused.time());
    if (acquisition == null
        || acquisition.call.isHeld()
        || !acquisition.attempt().asked.contains(from)) {
      return;
    }
    if (!wasShownTooHigh(acquisition, refused)) {
      acquisition.call.excuses().refused(from, refused.reason().words(refused.limit(), timing));
    }
    int same = acquisition.attempt().refuse(from, refused.reason(), now());
    attempts.widen(acquisition);
    if (same >= thresholds.vouchers()) {
      refused(acquisition, refused);
    } else if (!agenda.joins(acquisition) && acquisition.attempt().isOutvoted()) {
      tryAgainLater(acquisition);
    }
  }

  private void refused(Acquisition acquisition, Refused refused) {
    if (wasShownTooHigh(acquisition, refused)) {
      boolean unused = clock.forget(acquisition.lock()); // Another contender may have done so.
      tryAgainAtOnce(acquisition); // It was not the own clock: a rank that was shown is too high.
      return;
    }
    calls.refuse(acquisition, refused.reason(), refused.limit());
  }

  private boolean wasShownTooHigh(Acquisition acquisition, Refused refused) {
    return refused.reason() == RefusalReason.CLOCK_AHEAD
        && clock.isBehind(acquisition.attempt().time, now());
  }

  /** A rank that was too low is no sign of contention: the first time costs no sleep. */
  private void tryAgainAtOnce(Acquisition acquisition) {
    if (acquisition.triedAgainAtOnce) {
      tryAgainLater(acquisition);
    } else {
      acquisition.triedAgainAtOnce = true;
      attempts.end(acquisition);
      begin(acquisition);
    }
  }

  private void tryAgainLater(Acquisition acquisition) {
    if (acquisition.call.triesOnce()) {
      giveUp(acquisition);
      return;
    }
    attempts.end(acquisition);
    tell(new AskedAnew(acquisition.lock()));
    acquisition.retries++;
    acquisition.triedAgainAtOnce = false;
    acquisition.isSleeping = true;
    long sleepNanos =
        acquisition.call.wish().persistent()
            ? pace.roundTripNanos()
            : pace.sleepNanos(acquisition.retries, acquisition.holdNanos, entropy);
    acquisition.wakeNanos = now().nanos() + sleepNanos;
    schedule(acquisition);
  }

  private void giveUp(Acquisition acquisition) {
    calls.giveUp(acquisition, !acquisition.isSleeping && acquisition.attempt().isOutvoted());
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    calls.cancelled(call);
  }

  private void onDue(Acquisition acquisition) {
    if (acquisition.call.patienceNanos(now(), Long.MAX_VALUE) <= 0) {
      giveUp(acquisition);
    } else if (!acquisition.isSleeping) {
      onDueWhileTrying(acquisition);
    } else if (acquisition.wakeNanos - now().nanos() <= 0) {
      begin(acquisition);
    } else {
      schedule(acquisition);
    }
  }

  private void onDueWhileTrying(Acquisition acquisition) {
    if (agenda.isHopeless(acquisition, now())) {
      tryAgainLater(acquisition);
      return;
    }
    if (agenda.isRefreshDue(acquisition, now())) {
      if (agenda.isNewRankDue(acquisition, now())) {
        acquisition.newRanks++;
        attempts.end(acquisition);
        begin(acquisition);
        return;
      }
      attempts.refresh(acquisition); // Who has granted it keeps it for as long as others take.
    }
    schedule(acquisition);
  }

  private void schedule(Acquisition acquisition) {
    calls.schedule(acquisition.call, agenda.untilDueNanos(acquisition, now()));
  }

  /** Whether an answer to this attempt of this server would change what is known of it. */
  public boolean awaits(ServerId from, long time) {
    Acquisition acquisition = attempts.ofTime(time);
    return acquisition != null
        && acquisition.attempt().asked.contains(from)
        && acquisition.attempt().wordOf(from) != Word.FREE;
  }
}
