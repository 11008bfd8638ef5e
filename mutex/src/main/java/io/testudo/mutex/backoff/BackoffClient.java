package io.testudo.mutex.backoff;

import io.testudo.crypto.Seal;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.backoff.Acquisition.Phase;
import io.testudo.mutex.backoff.Attempt.Word;
import io.testudo.mutex.protocol.Acquire;
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
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.spi.Entropy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client half of the backoff mutex: all contenders of one process, for any locks. An attempt
 * asks the servers at a new rank. Enough grants, each for a request that is young enough, make a
 * lease that counts from the oldest of those requests. An attempt that cannot succeed is given back
 * everywhere, and the next one comes after a sleep.
 */
public final class BackoffClient extends LeaseHolder {
  /** A process that asks for more locks at once has lost count of them. */
  public static final int MAX_ACQUISITIONS = 65_536;

  private final ServerSet everyone;
  private final BackoffTuning tuning;
  private final long session;
  private final RankSeals seals;
  private final Entropy entropy;
  private final RankClock clock = new RankClock();
  private final Horizon horizon;

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
    super(thresholds, timing, tuning);
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.tuning = tuning;
    this.session = session;
    this.seals = seals;
    this.entropy = entropy;
    this.horizon = new Horizon(clock, seals, timing.maxSkewMillis(), thresholds);
    onCall(Acquire.class, this::onAcquire);
    onMessage(Free.class, this::onFree);
    onMessage(Locked.class, this::onLocked);
    onMessage(Stale.class, this::onStale);
    onMessage(Refused.class, this::onRefused);
    onTimer(Due.class, this::onDue);
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    if (wish.holdNanos() > timing.maxHoldNanos()) {
      String limit = "a hold may last %d ms at most".formatted(timing.maxHoldNanos() / 1_000_000);
      fail(call, new LockRefusedException(wish.lock(), limit));
      return;
    }
    if (acquisitions.size() >= MAX_ACQUISITIONS) {
      fail(call, new OverloadedException("locks held or wanted", MAX_ACQUISITIONS));
      return;
    }
    long holdNanos = tuning.holdPerCall() ? wish.holdNanos() : timing.maxHoldNanos();
    int contender = contenders.take(wish.lock());
    Acquisition acquisition =
        new Acquisition(call.number(), call, wish, holdNanos, contender, now());
    acquisitions.put(acquisition.id, acquisition);
    begin(acquisition);
  }

  /** Starts an attempt at a new rank. */
  private void begin(Acquisition acquisition) {
    long time = clock.next(acquisition.lock(), now(), entropy);
    while (byTime.containsKey(time)) { // Of another lock, by chance.
      time = clock.next(acquisition.lock(), now(), entropy);
    }
    Optional<Seal> seal = seals.seal(acquisition.lock(), time, session);
    ServerSet asked =
        thresholds.asked() == thresholds.servers()
            ? everyone
            : thresholds.quorums().choose(acquisition.silent, entropy::nextInt);
    acquisition.attempt = new Attempt(time, seal, asked, thresholds);
    acquisition.phase = Phase.TRYING;
    byTime.put(time, acquisition);
    ask(acquisition, asked);
    schedule(acquisition);
  }

  private void ask(Acquisition acquisition, ServerSet servers) {
    Attempt attempt = acquisition.attempt();
    long leaseNanos = pace.leaseNanos(acquisition.holdNanos);
    long number = attempt.request(now(), leaseNanos);
    sendAll(
        servers,
        new Try(
            acquisition.lock(),
            acquisition.contender,
            attempt.time,
            attempt.seal,
            leaseNanos,
            number,
            agenda.joins(acquisition)));
  }

  private void onFree(ServerId from, Free free) {
    Acquisition acquisition = byTime.get(free.time());
    if (acquisition == null) {
      sawAnswer(from, free.time(), free.number());
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
      sawAnswer(from, free.time(), free.number());
    }
    attempt.free(from, free.number(), now());
    if (acquisition.phase == Phase.HELD) {
      extend(acquisition);
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
    acquisition.phase = Phase.HELD;
    acquisition.term = term;
    acquisition.enteredNanos = now().nanos();
    acquisition.renewAtNanos = now().nanos() + acquisition.holdNanos / RENEWALS_PER_HOLD;
    Attempt attempt = acquisition.attempt();
    for (ServerId server : attempt.asked) {
      Word word = attempt.wordOf(server);
      if (word != Word.FREE && word != Word.NONE) {
        tellOutvoted(server, acquisition);
      }
    }
    schedule(acquisition);
    complete(acquisition.call, new Held(acquisition.lock(), attempt.time, term));
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
    sawAnswer(from, time, number);
    Acquisition acquisition = byTime.get(time);
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
    Acquisition acquisition = byTime.get(refused.time());
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
    return refused.reason() == Refused.Reason.CLOCK_AHEAD
        && clock.isBehind(acquisition.attempt().time, now());
  }

  private String why(Refused refused) {
    return switch (refused.reason()) {
      case LEASE_TOO_LONG ->
          "a lease may last %d ms at most".formatted(refused.limit() / 1_000_000);
      case TOO_MANY_LOCKS -> "%d locks are in use".formatted(refused.limit());
      case OTHER_BACKEND -> "the servers have bound this name to another backend";
      case CLOCK_AHEAD ->
          "the clock of this process is more than %d ms ahead of those of the servers"
              .formatted(timing.maxSkewMillis());
    };
  }

  /** A rank that was too low is no sign of contention: the first time costs no sleep. */
  private void tryAgainAtOnce(Acquisition acquisition) {
    if (acquisition.triedAgainAtOnce) {
      tryAgainLater(acquisition);
    } else {
      acquisition.triedAgainAtOnce = true;
      endAttempt(acquisition);
      begin(acquisition);
    }
  }

  private void tryAgainLater(Acquisition acquisition) {
    if (!acquisition.mayTryAgain()) {
      giveUp(acquisition);
      return;
    }
    endAttempt(acquisition);
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
      endAttempt(acquisition);
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
    endAttempt(acquisition);
    fail(acquisition.call, reason);
    forget(acquisition);
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    Acquisition acquisition = acquisitions.get(call.number());
    if (acquisition != null && acquisition.phase != Phase.HELD) {
      if (acquisition.phase == Phase.TRYING) {
        endAttempt(acquisition);
      }
      forget(acquisition);
      return;
    }
    for (Acquisition held : acquisitions.values()) {
      held.renewals.removeIf(renewal -> renewal.call().number() == call.number());
    }
  }

  private void onDue(Due due) {
    Acquisition acquisition = acquisitions.get(due.acquisition());
    if (acquisition == null) {
      return;
    }
    acquisition.timerIsSet = false;
    if (acquisition.phase == Phase.HELD) {
      onDueWhileHeld(acquisition);
    } else if (acquisition.mayTryAgain() && acquisition.patienceNanos(now()) <= 0) {
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
        endAttempt(acquisition);
        begin(acquisition);
        return;
      }
      ask(acquisition, attempt.asked); // Who has granted it keeps it for as long as others take.
    }
    schedule(acquisition);
  }
}
