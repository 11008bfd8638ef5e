package io.testudo.mutex.sigma;

import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.SealedRank;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.Acquisition.Phase;
import io.testudo.mutex.sigma.Seat.State;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.spi.Entropy;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The client half of Sigma: all contenders of one process, for any locks. Each call is one epoch:
 * it asks all servers once, and is in their queues from then on. When its grants are enough it
 * enters (E1); when another has enough it waits (E2); when nobody has, it yields what it has, and
 * the servers choose the earliest (E3).
 */
public final class SigmaClient extends LeaseHolder {
  /** A process that asks for more locks at once has lost count of them. */
  public static final int MAX_ACQUISITIONS = 65_536;

  /** Nobody's word moves the clock so far that times could run out. */
  private static final long MAX_HEARD = SigmaRequest.MAX_TIME - (1L << 59);

  private final SigmaTuning tuning;
  private final Entropy entropy;
  private final RankClock clock = new RankClock();
  private final Horizon horizon;

  /**
   * Makes a client half.
   *
   * @param thresholds of {@code Need.SIGMA} or {@code Need.SIGMA_HARDENED}
   */
  public SigmaClient(
      Thresholds thresholds, LockTiming timing, SigmaTuning tuning, Entropy entropy) {
    super(thresholds, timing);
    this.tuning = tuning;
    this.entropy = entropy;
    this.horizon = new Horizon(clock, RankSeals.none(), timing.maxSkewMillis(), thresholds);
    onCall(Acquire.class, this::onAcquire);
    onMessage(Response.class, this::onResponse);
    onMessage(Check.class, this::onCheck);
    onMessage(Refused.class, this::onRefused);
    onTimer(Due.class, this::onDue);
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    if (wish.holdNanos() > timing.maxHoldNanos()) {
      String limit = "a hold may last %d ms at most".formatted(timing.maxHoldNanos() / 1_000_000);
      fail(call, new LockRefusedException(wish.lock(), limit));
      return;
    }
    if (byTime.size() >= MAX_ACQUISITIONS) {
      fail(call, new OverloadedException("locks held or wanted", MAX_ACQUISITIONS));
      return;
    }
    long time = clock.next(wish.lock(), now(), entropy);
    while (byTime.containsKey(time)) { // Of another lock, by chance.
      time = clock.next(wish.lock(), now(), entropy);
    }
    Epoch epoch = new Epoch(time, thresholds, timing.maxSkewMillis());
    int contender = contenders.take(wish.lock());
    Acquisition acquisition = new Acquisition(call, wish, contender, epoch, now());
    acquisition.patienceNanos = tuning.firstYieldNanos();
    byTime.put(acquisition.id(), acquisition);
    for (Seat seat : epoch.seats) {
      request(acquisition, seat);
    }
    scheduleTrying(acquisition);
  }

  private void onResponse(ServerId from, Response response) {
    Acquisition acquisition = byTime.get(response.time());
    if (acquisition == null) {
      if (response.yours() && !hasJustLeft(response.time())) {
        leaveOld(from, response.lock(), response.contender(), response.time());
      }
      return;
    }
    Seat seat = acquisition.epoch.seat(from);
    if (!isToBeHeard(acquisition, seat, response)) {
      return;
    }
    acquisition.excuses.none(from);
    if (response.yours()) {
      onGrant(
          acquisition,
          seat,
          response.grant(),
          response.owner(),
          response.echo(),
          response.leased(),
          response.fence());
    } else {
      onOther(acquisition, seat, response);
    }
    react(acquisition, seat);
  }

  /** Drops what is late or makes no sense. */
  private boolean isToBeHeard(Acquisition acquisition, Seat seat, Response response) {
    if (!acquisition.lock().equals(response.lock())
        || acquisition.contender != response.contender()) {
      return false;
    }
    if (!seat.hasSent(response.echo()) || !seat.hasSent(response.leased())) {
      tell(new Suspicion(seat.server, "answers what it was never sent"));
      return false;
    }
    hearOf(seat.server, acquisition, response.owner().time());
    long roundTripNanos = seat.roundTripNanos(response.echo(), now());
    if (roundTripNanos >= 0) {
      trips.saw(seat.server, roundTripNanos);
    }
    return isPresent(acquisition, seat, response.grant(), response.echo());
  }

  private boolean isPresent(Acquisition acquisition, Seat seat, GrantId grant, long echo) {
    boolean present = seat.isPresent(grant, echo);
    if (!present && seat.isOfAnotherIncarnation(grant)) {
      inquire(acquisition, seat); // Which of the two is alive? It will hear this, and say so.
    }
    return present;
  }

  /** The own clock goes on from the latest time that is heard of, as far as that is believed. */
  private void hearOf(ServerId from, Acquisition acquisition, long time) {
    if (time <= MAX_HEARD) {
      boolean unused = horizon.hear(from, acquisition.lock(), SealedRank.unsealed(time), now());
    }
  }

  private void onGrant(
      Acquisition acquisition,
      Seat seat,
      GrantId grant,
      Owner self,
      long echo,
      long leased,
      long fence) {
    if (seat.state == State.YIELDED && grant.equals(seat.grant)) {
      giveWayAgain(acquisition, seat); // It does not know yet; what was yielded never counts again.
      return;
    }
    if (fence > SigmaRequest.MAX_TIME) {
      return; // There is no such token.
    }
    hearOf(seat.server, acquisition, fence);
    Owner before = seat.state == State.OTHER ? seat.owner : Owner.NONE;
    boolean isFirst = acquisition.epoch.count(State.MINE) == 0;
    seat.show(grant, echo, State.MINE, self, now());
    if (!seat.granted(leased, fence, now())) {
      tell(new Suspicion(seat.server, "raises the fence of a grant"));
    }
    OptionalLong heardSinceNanos =
        isFirst ? OptionalLong.of(now().nanos() - trips.longestNanos()) : OptionalLong.empty();
    for (Seat forgotten : acquisition.epoch.forget(before, heardSinceNanos)) { // R1
      retryBy(forgotten, trips.graceNanos());
    }
  }

  private void onOther(Acquisition acquisition, Seat seat, Response response) {
    boolean isForgotten =
        acquisition.phase == Phase.HELD && (seat.state == State.MINE || seat.state == State.VOID);
    boolean isFree = response.owner().isNone();
    State state = isForgotten ? State.VOID : isFree ? State.UNHEARD : State.OTHER;
    seat.show(response.grant(), response.echo(), state, response.owner(), now());
    if (isFree) {
      requestSoon(acquisition, seat); // It has lost its memory, or never heard of this epoch.
    } else {
      retryAfter(seat, Math.max(trips.graceNanos(), response.waitNanos()));
    }
  }

  private void onCheck(ServerId from, Check check) {
    Acquisition acquisition = byTime.get(check.time());
    if (acquisition == null) {
      leaveOld(from, check.lock(), check.contender(), check.time());
      return;
    }
    Seat seat = acquisition.epoch.seat(from);
    if (!acquisition.lock().equals(check.lock()) || acquisition.contender != check.contender()) {
      return;
    }
    if (!seat.hasSent(check.echo()) || !seat.hasSent(check.leased())) {
      tell(new Suspicion(from, "checks on what it was never sent"));
    } else if (isPresent(acquisition, seat, check.grant(), check.echo())) {
      onGrant(
          acquisition,
          seat,
          check.grant(),
          Owner.NONE,
          check.echo(),
          check.leased(),
          check.fence());
      react(acquisition, seat);
    }
  }

  /** The epoch is over, and a grant to the dead keeps everybody waiting. */
  private void leaveOld(ServerId to, String lock, long contender, long time) {
    send(to, new Leave(lock, contender, time, Leave.UNKNOWN));
  }

  private void react(Acquisition acquisition, Seat seat) {
    if (acquisition.phase == Phase.HELD) {
      onNewsWhileHeld(acquisition, seat);
    } else {
      decide(acquisition);
    }
  }

  /** The rules E1, E2 and E3, after whatever has changed. */
  private void decide(Acquisition acquisition) {
    Epoch epoch = acquisition.epoch;
    boolean hasEnough = epoch.hasEnough(now());
    if (hasEnough && enterIfConfirmed(acquisition)) {
      return;
    }
    if (!hasEnough && acquisition.triesOnce() && epoch.isOutvoted()) {
      giveUp(acquisition, null);
      return;
    }
    boolean isBehind = epoch.anotherHasEnough();
    if (!hasEnough && !isBehind && epoch.isSplit()) {
      yieldAll(acquisition);
    }
    noteWhetherStuck(acquisition, isBehind);
    scheduleTrying(acquisition);
  }

  /**
   * E1. Grants that know of the same token, and whose leases leave the hold, are enough by
   * themselves. The others are confirmed first.
   */
  private boolean enterIfConfirmed(Acquisition acquisition) {
    long token = acquisition.epoch.token(now());
    long holdNanos = acquisition.wish.holdNanos();
    Term term = acquisition.epoch.lease(token, now());
    if (term != null && term.remainingNanos(now()) >= holdNanos) {
      hold(acquisition, token, term);
      complete(acquisition.call, new Held(acquisition.lock(), token, term));
      return true;
    }
    for (Seat seat : acquisition.epoch.seats) {
      boolean lacks = seat.fence < token || seat.remainingNanos(now()) < holdNanos;
      if (seat.state == State.MINE && lacks) {
        confirmSoon(acquisition, seat, token);
      }
    }
    return false;
  }

  private void yieldAll(Acquisition acquisition) {
    for (Seat seat : acquisition.epoch.seats) {
      if (seat.state == State.MINE) {
        giveWay(acquisition, seat);
      }
    }
  }

  private void noteWhetherStuck(Acquisition acquisition, boolean isBehind) {
    boolean hasGrants = acquisition.epoch.count(State.MINE) > 0;
    if (hasGrants && !acquisition.isStuck) {
      acquisition.stuckNanos = now().nanos();
    }
    if (hasGrants && isBehind && !acquisition.isBehind) {
      acquisition.behindNanos = now().nanos();
    }
    acquisition.isStuck = hasGrants;
    acquisition.isBehind = hasGrants && isBehind;
  }

  /** The conflict timer: it has had grants for long enough, and could not enter. */
  private void onStuck(Acquisition acquisition) {
    Epoch epoch = acquisition.epoch;
    acquisition.isStuck = false;
    if (acquisition.isBehind) {
      acquisition.isBehind = false;
      acquisition.patienceNanos =
          Math.min(2 * acquisition.patienceNanos, tuning.longestYieldNanos());
      yieldAll(acquisition);
    } else if (epoch.hasEnough(now()) || epoch.enoughAnswered()) {
      yieldAll(acquisition);
    } else {
      for (Seat seat : epoch.seats) {
        if (seat.state == State.UNHEARD) {
          inquire(acquisition, seat);
        }
      }
    }
  }

  private long untilStuckNanos(Acquisition acquisition) {
    if (!acquisition.isStuck) {
      return Long.MAX_VALUE;
    }
    long nowNanos = now().nanos();
    if (acquisition.isBehind) {
      return acquisition.behindNanos + acquisition.patienceNanos - nowNanos;
    }
    // Grants that are to be confirmed are worth some more patience.
    int graces = acquisition.epoch.hasEnough(now()) ? 2 : 1;
    return acquisition.stuckNanos + graces * trips.graceNanos() - nowNanos;
  }

  private void onRefused(ServerId from, Refused refused) {
    Acquisition acquisition = byTime.get(refused.time());
    if (acquisition == null || acquisition.phase != Phase.TRYING) {
      return;
    }
    if (refused.reason() == Refused.Reason.QUARANTINED) {
      acquisition.excuses.quarantined(from, refused.limit(), now());
      return; // It is asked again as one that is silent.
    }
    boolean isAhead = refused.reason() == Refused.Reason.CLOCK_AHEAD;
    if (isAhead && clock.isBehind(acquisition.id(), now())) {
      return; // Not by the own clock: a time that was shown was too high, and soon is not.
    }
    acquisition.excuses.refused(from, why(refused));
    acquisition.epoch.seat(from).refused = true;
    long refusals = acquisition.epoch.seats.stream().filter(seat -> seat.refused).count();
    if (refusals >= thresholds.vouchers()) {
      giveUp(acquisition, new LockRefusedException(acquisition.lock(), why(refused)));
    }
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
      case QUARANTINED -> "they restarted"; // That is no refusal, and never comes here.
    };
  }

  private void giveUp(Acquisition acquisition, @Nullable TestudoException reason) {
    boolean enoughAnswered =
        acquisition.epoch.isOutvoted() || heardOf(acquisition).size() >= thresholds.consents();
    leave(acquisition, Leave.UNUSED);
    fail(
        acquisition.call,
        reason != null
            ? reason
            : enoughAnswered
                ? new NotAcquiredException(acquisition.lock(), acquisition.excuses.told(now()))
                : tooFew(acquisition, Outcome.DID_NOT_HAPPEN));
    forget(acquisition);
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    for (Acquisition acquisition : byTime.values()) {
      if (acquisition.phase == Phase.TRYING && acquisition.call.number() == call.number()) {
        leave(acquisition, Leave.UNUSED);
        forget(acquisition);
        return;
      }
      acquisition.renewals.removeIf(renewal -> renewal.call().number() == call.number());
    }
  }

  private void onDue(Due due) {
    Acquisition acquisition = byTime.get(due.acquisition());
    if (acquisition == null) {
      return;
    }
    acquisition.timerIsSet = false;
    if (acquisition.phase == Phase.HELD) {
      onDueWhileHeld(acquisition);
    } else if (acquisition.patienceLeftNanos(now(), timing.windowNanos()) <= 0) {
      giveUp(acquisition, null);
    } else {
      onDueWhileTrying(acquisition);
    }
  }

  private void onDueWhileTrying(Acquisition acquisition) {
    if (untilStuckNanos(acquisition) <= 0) {
      onStuck(acquisition);
    }
    for (Seat seat : acquisition.epoch.seats) {
      if (seat.state != State.MINE && seat.retryNanos - now().nanos() <= 0) {
        if (seat.state == State.YIELDED) {
          giveWay(acquisition, seat);
        } else {
          request(acquisition, seat); // What rebuilds the queue of one that lost its memory.
        }
      }
    }
    decide(acquisition);
  }

  private void scheduleTrying(Acquisition acquisition) {
    long dueNanos = acquisition.patienceLeftNanos(now(), timing.windowNanos());
    dueNanos = Math.min(dueNanos, untilStuckNanos(acquisition));
    boolean confirms = acquisition.epoch.hasEnough(now());
    for (Seat seat : acquisition.epoch.seats) {
      if (seat.state != State.MINE) {
        dueNanos = Math.min(dueNanos, seat.retryNanos - now().nanos());
      } else if (confirms && seat.confirmFence > 0) {
        long againNanos = seat.confirmNanos + trips.longestNanos() - now().nanos();
        dueNanos = againNanos > 0 ? Math.min(dueNanos, againNanos) : dueNanos;
      }
    }
    schedule(acquisition, dueNanos);
  }
}
