package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.KeptLease;
import io.testudo.mutex.lease.LeaseGrants;
import io.testudo.mutex.lease.LockCall;
import io.testudo.mutex.lease.LockCalls;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Horizon;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.RankSeals;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.Seat.State;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The client machine of Sigma: all contenders of one process, for any locks. Each call is one
 * epoch: it asks all servers once, and is in their queues from then on. When its grants are enough
 * it enters (E1); when another has enough it waits (E2); when nobody has, it yields what it has,
 * and the servers choose the earliest (E3).
 */
public final class SigmaClient extends Machine<ServerId> {
  private final Thresholds thresholds;
  private final LockTiming timing;
  private final SigmaTuning tuning;
  private final Entropy entropy;
  private final RoundTrips trips;
  private final Correspondence servers;
  private final LockCalls<QueuedAcquisition> calls;

  /** All that are not over, by the time of their request. */
  private final Map<Long, QueuedAcquisition> byTime = new HashMap<>();

  private final RankClock clock = new RankClock();

  /**
   * Makes a client machine.
   *
   * @param thresholds of {@code SigmaProtocol.CRASHES} or {@code SigmaProtocol.HARDENED}
   */
  public SigmaClient(
      Thresholds thresholds, LockTiming timing, SigmaTuning tuning, Entropy entropy) {
    this.thresholds = thresholds;
    this.timing = timing;
    this.tuning = tuning;
    this.entropy = entropy;
    this.trips = new RoundTrips(timing, thresholds);
    this.servers = new Correspondence(this, timing, trips);
    Horizon horizon = new Horizon(clock, RankSeals.none(), timing.maxSkewMillis(), thresholds);
    assemble(new ServerAnswers(servers, trips, timing, horizon, byTime::get, this::react));
    this.calls = new LockCalls<>(this, thresholds, timing, new Calls());
    onMessage(SigmaRefused.class, this::onRefused);
  }

  private final class Calls implements LockCalls.Protocol<QueuedAcquisition> {
    @Override
    public QueuedAcquisition begin(LockCall call) {
      long time = clock.next(call.lock(), now(), entropy);
      while (byTime.containsKey(time)) { // Of another lock, by chance.
        time = clock.next(call.lock(), now(), entropy);
      }
      Epoch epoch = new Epoch(time, thresholds, timing.maxSkewMillis());
      QueuedAcquisition acquisition = new QueuedAcquisition(call, epoch);
      acquisition.patienceNanos = tuning.firstYieldNanos();
      byTime.put(time, acquisition);
      for (Seat seat : epoch.seats) {
        servers.request(acquisition, seat);
      }
      scheduleTrying(acquisition);
      return acquisition;
    }

    @Override
    public void due(QueuedAcquisition acquisition) {
      if (acquisition.call.patienceNanos(now(), timing.windowNanos()) <= 0) {
        giveUp(acquisition);
      } else {
        onDueWhileTrying(acquisition);
      }
    }

    @Override
    public void withdraw(QueuedAcquisition acquisition) {
      release(acquisition, SigmaRelease.UNUSED);
    }

    @Override
    public ServerSet heardOf(QueuedAcquisition acquisition) {
      return acquisition.heardOf();
    }
  }

  private void react(QueuedAcquisition acquisition, Seat seat) {
    if (acquisition.call.isHeld()) {
      onNewsWhileHeld(acquisition, acquisition.call.lease(), seat);
    } else {
      decide(acquisition);
    }
  }

  /** Something was heard of a server while the lock is held. */
  private void onNewsWhileHeld(QueuedAcquisition acquisition, KeptLease lease, Seat seat) {
    if (lease.term().isOver(now()) || acquisition.epoch.hasForgottenTooMuch(now())) {
      calls.keeper().lose(lease);
      return;
    }
    if (seat.state == State.MINE && seat.fence < lease.token()) {
      servers.confirmSoon(acquisition, seat, lease.token()); // It came late, and knows too little.
    }
    calls.keeper().extend(lease, acquisition.epoch.lease(lease.token(), now()));
  }

  /** The rules E1, E2 and E3, after whatever has changed. */
  private void decide(QueuedAcquisition acquisition) {
    Epoch epoch = acquisition.epoch;
    boolean hasEnough = epoch.hasEnough(now());
    if (hasEnough && enterIfConfirmed(acquisition)) {
      return;
    }
    if (!hasEnough && acquisition.call.triesOnce() && epoch.isOutvoted()) {
      giveUp(acquisition);
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
  private boolean enterIfConfirmed(QueuedAcquisition acquisition) {
    long token = acquisition.epoch.token(now());
    long holdNanos = acquisition.call.wish().holdNanos();
    Term term = acquisition.epoch.lease(token, now());
    if (term != null && term.remainingNanos(now()) >= holdNanos) {
      calls.enter(acquisition.call, holdNanos, token, term, new Grants(acquisition, token));
      return true;
    }
    for (Seat seat : acquisition.epoch.seats) {
      boolean lacks = seat.fence < token || seat.remainingNanos(now()) < holdNanos;
      if (seat.state == State.MINE && lacks) {
        servers.confirmSoon(acquisition, seat, token);
      }
    }
    return false;
  }

  private final class Grants implements LeaseGrants {
    private final QueuedAcquisition acquisition;
    private final long token;

    Grants(QueuedAcquisition acquisition, long token) {
      this.acquisition = acquisition;
      this.token = token;
    }

    @Override
    public Term prolong(long holdNanos) {
      return servers.prolong(acquisition, token, holdNanos);
    }

    @Override
    public long windowNanos() {
      return timing.windowNanos();
    }

    @Override
    public ServerSet answered() {
      return acquisition.heardOf();
    }

    @Override
    public void end(boolean isLost) {
      release(acquisition, token);
      calls.forget(acquisition.call);
    }
  }

  private void yieldAll(QueuedAcquisition acquisition) {
    for (Seat seat : acquisition.epoch.seats) {
      if (seat.state == State.MINE) {
        servers.giveWay(acquisition, seat);
      }
    }
  }

  private void noteWhetherStuck(QueuedAcquisition acquisition, boolean isBehind) {
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
  private void onStuck(QueuedAcquisition acquisition) {
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
          servers.inquire(acquisition, seat);
        }
      }
    }
  }

  private long untilStuckNanos(QueuedAcquisition acquisition) {
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

  private void onRefused(ServerId from, SigmaRefused refused) {
    QueuedAcquisition acquisition = byTime.get(refused.time());
    if (acquisition == null || acquisition.call.isHeld()) {
      return;
    }
    if (refused.reason() == RefusalReason.QUARANTINED) {
      acquisition.call.excuses().quarantined(from, refused.limit(), now());
      return; // It is asked again as one that is silent.
    }
    boolean isAhead = refused.reason() == RefusalReason.CLOCK_AHEAD;
    if (isAhead && clock.isBehind(acquisition.id(), now())) {
      return; // Not by the own clock: a time that was shown was too high, and soon is not.
    }
    acquisition.call.excuses().refused(from, refused.reason().words(refused.limit(), timing));
    acquisition.epoch.seat(from).refused = true;
    long refusals = acquisition.epoch.seats.stream().filter(seat -> seat.refused).count();
    if (refusals >= thresholds.vouchers()) {
      calls.refuse(acquisition, refused.reason(), refused.limit());
    }
  }

  private void giveUp(QueuedAcquisition acquisition) {
    calls.giveUp(acquisition, acquisition.epoch.isOutvoted());
  }

  /** The epoch is over: its time is not heard any more. */
  private void release(QueuedAcquisition acquisition, long token) {
    servers.release(acquisition, token);
    byTime.remove(acquisition.id());
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    calls.cancelled(call);
  }

  private void onDueWhileTrying(QueuedAcquisition acquisition) {
    if (untilStuckNanos(acquisition) <= 0) {
      onStuck(acquisition);
    }
    for (Seat seat : acquisition.epoch.seats) {
      if (seat.state != State.MINE && seat.retryNanos - now().nanos() <= 0) {
        if (seat.state == State.YIELDED) {
          servers.giveWay(acquisition, seat);
        } else {
          servers.request(
              acquisition, seat); // What rebuilds the queue of one that lost its memory.
        }
      }
    }
    decide(acquisition);
  }

  private void scheduleTrying(QueuedAcquisition acquisition) {
    long dueNanos = acquisition.call.patienceNanos(now(), timing.windowNanos());
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
    calls.schedule(acquisition.call, dueNanos);
  }

  /** Whether an answer of this server to this epoch would change what is known of it. */
  public boolean awaits(ServerId from, long time) {
    QueuedAcquisition acquisition = byTime.get(time);
    return acquisition != null && acquisition.epoch.seat(from).state != State.MINE;
  }

  /** The grants by which a lock is held, for checks. */
  public Map<ServerId, GrantId> grants(String lock, long token) {
    Map<ServerId, GrantId> grants = new HashMap<>();
    holder(lock, token)
        .ifPresent(
            acquisition -> {
              for (Seat seat : acquisition.epoch.seats) {
                if (seat.state == State.MINE && seat.fence >= token) {
                  grants.put(seat.server, seat.grant());
                }
              }
            });
    return grants;
  }

  /** The time of the request by which a lock is held, for checks; 0 if it is not. */
  public long timeOf(String lock, long token) {
    return holder(lock, token).map(QueuedAcquisition::id).orElse(0L);
  }

  private Optional<QueuedAcquisition> holder(String lock, long token) {
    return byTime.values().stream()
        .filter(one -> one.call.isHeld() && one.call.lease().token() == token)
        .filter(one -> one.lock().equals(lock))
        .findFirst();
  }

  /** How many locks are held or wanted. */
  public int acquisitions() {
    return calls.size();
  }
}
