package io.testudo.mutex.backoff;

import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.backoff.Acquisition.Phase;
import io.testudo.mutex.backoff.Attempt.Word;
import io.testudo.mutex.lease.DueTimer;
import io.testudo.mutex.lease.LeaseGrants;
import io.testudo.mutex.lease.LeaseKeeper;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Contenders;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Outvoted;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The client half of the backoff mutex: all contenders of one process, for any locks. An attempt
 * asks the servers at a new rank. Enough grants, each for a request that is young enough, make a
 * lease that counts from the oldest of those requests. An attempt that cannot succeed is given back
 * everywhere, and the next one comes after a sleep.
 */
public final class BackoffClient extends Machine<ServerId> {
  /** A process that asks for more locks at once has lost count of them. */
  public static final int MAX_ACQUISITIONS = 65_536;

  private static final long LEAST_DELAY_NANOS = 1_000L;

  private record Due(long acquisition) implements TimerKey {}

  private final Thresholds thresholds;
  private final LockTiming timing;
  private final BackoffTuning tuning;
  private final Entropy entropy;
  private final RankClock clock = new RankClock();
  private final Horizon horizon;
  private final Pace pace;
  private final Agenda agenda;
  private final Attempts attempts;
  private final LeaseKeeper keeper;
  private final Contenders contenders = new Contenders();
  private final Map<Long, Acquisition> acquisitions = new HashMap<>();

  /**
   * Makes a client half.
   *
   * @param thresholds of {@code Need.LOCK_ALL_SERVERS} or {@code Need.LOCK_QUORUMS}
   * @param session of this process, as the servers know it
   */
  public BackoffClient(
      Thresholds thresholds,
      LockTiming timing,
      BackoffTuning tuning,
      long session,
      RankSeals seals,
      Entropy entropy) {
    this.thresholds = thresholds;
    this.timing = timing;
    this.tuning = tuning;
    this.entropy = entropy;
    this.horizon = new Horizon(clock, seals, timing.maxSkewMillis(), thresholds);
    this.pace = new Pace(timing, tuning, thresholds);
    this.agenda = new Agenda(timing, tuning, pace);
    this.attempts = new Attempts(this, thresholds, pace, agenda, clock, seals, session, entropy);
    this.keeper = new LeaseKeeper(this, thresholds, timing);
    onCall(Acquire.class, this::onAcquire);
    onMessage(Free.class, this::onFree);
    onMessage(Locked.class, this::onLocked);
    onMessage(Stale.class, this::onStale);
    onMessage(Refused.class, this::onRefused);
    onTimer(Due.class, this::onDue);
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    if (wish.holdNanos() > timing.maxHoldNanos()) {
      fail(call, timing.holdTooLong(wish.lock()));
      return;
    }
    if (acquisitions.size() >= MAX_ACQUISITIONS) {
      fail(call, new OverloadedException("locks held or wanted", MAX_ACQUISITIONS));
      return;
    }
    long holdNanos = tuning.holdPerCall() ? wish.holdNanos() : timing.maxHoldNanos();
    int contender = contenders.take(wish.lock());
    DueTimer<ServerId> timer = new DueTimer<>(effects(), new Due(call.number()));
    Acquisition acquisition = new Acquisition(call, wish, holdNanos, contender, now(), timer);
    acquisitions.put(acquisition.id(), acquisition);
    begin(acquisition);
  }

  /** Starts an attempt at a new rank. */
  private void begin(Acquisition acquisition) {
    attempts.begin(acquisition);
    acquisition.phase = Phase.TRYING;
    schedule(acquisition);
  }

  private void onFree(ServerId from, Free free) {
    Acquisition acquisition = attempts.ofTime(free.time());
    if (acquisition == null) {
      attempts.sawAnswer(from, free.time(), free.number());
      // The attempt is dead, and a grant to the dead keeps everybody waiting.
      send(from, new GiveBack(free.lock(), free.contender(), free.time()));
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
    if (acquisition.phase == Phase.HELD) {
      keeper.extend(acquisition.lease(), attempt.granted(now()));
    } else {
      enterIfGranted(acquisition);
    }
  }

  private void enterIfGranted(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
    if (!tuning.discardLate() && attempt.count(Word.FREE) >= thresholds.consents()) {
      enter(acquisition, new Term(now(), acquisition.holdNanos));
      return;
    }
    Term term = attempt.granted(now());
    if (term == null) {
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
    acquisition.phase = Phase.HELD;
    acquisition.lease =
        keeper.hold(
            acquisition.wish, acquisition.holdNanos, attempt.time, term, new Grants(acquisition));
    acquisition.timer.cancel();
    for (ServerId server : attempt.asked) {
      Word word = attempt.wordOf(server);
      if (word != Word.FREE && word != Word.NONE) {
        tellOutvoted(server, acquisition);
      }
    }
    complete(acquisition.call, new Held(acquisition.lock(), attempt.time, term));
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
        pace.sawOccupancy(acquisition.lease().heldNanos(now()));
        attempts.end(acquisition);
      }
      forget(acquisition);
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
      acquisition.excuses.quarantined(from, locked.remainingNanos(), now());
    }
    if (agenda.joins(acquisition)) {
      schedule(acquisition);
    } else if (acquisition.attempt().isOutvoted()) {
      tryAgainLater(acquisition);
    }
  }

  private void onStale(ServerId from, Stale stale) {
    Acquisition acquisition = denied(from, stale.time(), stale.number(), stale.last(), Word.STALE);
    if (acquisition == null) {
      return;
    }
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
    if (acquisition.phase == Phase.HELD) {
      tellOutvoted(from, acquisition);
      return null;
    }
    acquisition.attempt().deny(from, word, now());
    acquisition.excuses.none(from);
    return acquisition;
  }

  private void onRefused(ServerId from, Refused refused) {
    Acquisition acquisition = attempts.ofTime(refused.time());
    if (acquisition == null
        || acquisition.phase == Phase.HELD
        || !acquisition.attempt().asked.contains(from)) {
      return;
    }
    if (!wasShownTooHigh(acquisition, refused)) {
      acquisition.excuses.refused(from, why(refused));
    }
    int same = acquisition.attempt().refuse(from, refused.reason(), now());
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
    giveUp(acquisition, new LockRefusedException(acquisition.lock(), why(refused)));
  }

  private boolean wasShownTooHigh(Acquisition acquisition, Refused refused) {
    return refused.reason() == RefusalReason.CLOCK_AHEAD
        && clock.isBehind(acquisition.attempt().time, now());
  }

  private String why(Refused refused) {
    return refused.reason().words(refused.limit(), timing);
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
    if (!acquisition.mayTryAgain()) {
      giveUp(acquisition);
      return;
    }
    attempts.end(acquisition);
    acquisition.retries++;
    acquisition.triedAgainAtOnce = false;
    acquisition.phase = Phase.SLEEPING;
    long sleepNanos =
        acquisition.wish.persistent()
            ? pace.roundTripNanos()
            : pace.sleepNanos(acquisition.retries, acquisition.holdNanos, entropy);
    acquisition.wakeNanos = now().nanos() + sleepNanos;
    schedule(acquisition);
  }

  private void giveUp(Acquisition acquisition) {
    // With so many against it, what the others would have said makes no difference.
    boolean isOutvoted = acquisition.phase == Phase.TRYING && acquisition.attempt().isOutvoted();
    if (acquisition.phase == Phase.TRYING) {
      attempts.end(acquisition);
    }
    TestudoException reason =
        isOutvoted || acquisition.heardOf.size() >= thresholds.consents()
            ? new NotAcquiredException(acquisition.lock(), acquisition.excuses.told(now()))
            : new NoQuorumException(
                acquisition.heardOf,
                thresholds.servers(),
                thresholds.consents(),
                Outcome.DID_NOT_HAPPEN);
    fail(acquisition.call, reason);
    forget(acquisition);
  }

  private void giveUp(Acquisition acquisition, TestudoException reason) {
    attempts.end(acquisition);
    fail(acquisition.call, reason);
    forget(acquisition);
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    Acquisition acquisition = acquisitions.get(call.number());
    if (acquisition != null && acquisition.phase != Phase.HELD) {
      if (acquisition.phase == Phase.TRYING) {
        attempts.end(acquisition);
      }
      forget(acquisition);
      return;
    }
    keeper.cancelled(call);
  }

  private void onDue(Due due) {
    Acquisition acquisition = acquisitions.get(due.acquisition());
    if (acquisition == null || acquisition.phase == Phase.HELD) {
      return;
    }
    acquisition.timer.rings();
    if (acquisition.mayTryAgain() && acquisition.patienceNanos(now()) <= 0) {
      giveUp(acquisition);
    } else if (acquisition.phase == Phase.TRYING) {
      onDueWhileTrying(acquisition);
    } else if (acquisition.wakeNanos - now().nanos() <= 0) {
      begin(acquisition);
    } else {
      schedule(acquisition);
    }
  }

  private void onDueWhileTrying(Acquisition acquisition) {
    Attempt attempt = acquisition.attempt();
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
      attempts.ask(
          acquisition, attempt.asked); // Who has granted it keeps it for as long as others take.
    }
    schedule(acquisition);
  }

  private void forget(Acquisition acquisition) {
    acquisition.phase = Phase.OVER;
    acquisitions.remove(acquisition.id());
    contenders.giveBack(acquisition.lock(), acquisition.contender);
    acquisition.timer.cancel();
  }

  private void schedule(Acquisition acquisition) {
    long delayNanos = Math.max(LEAST_DELAY_NANOS, agenda.untilDueNanos(acquisition, now()));
    acquisition.timer.ringBy(now().nanos() + delayNanos);
  }

  /** Whether an answer to this attempt of this server would change what is known of it. */
  public boolean awaits(ServerId from, long time) {
    Acquisition acquisition = attempts.ofTime(time);
    return acquisition != null
        && acquisition.attempt().asked.contains(from)
        && acquisition.attempt().wordOf(from) != Word.FREE;
  }

  /** How many locks are held or wanted. */
  public int acquisitions() {
    return acquisitions.size();
  }
}
