package io.testudo.mutex.sigma;

import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.Release;
import io.testudo.mutex.protocol.Renew;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.sigma.Acquisition.Phase;
import io.testudo.mutex.sigma.Acquisition.Renewal;
import io.testudo.mutex.sigma.Seat.State;
import io.testudo.quorum.NoQuorumException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.TimerKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of the client half that begins when a lock is held: renewal, release and loss. */
abstract class LeaseHolder extends Correspondence {
  private static final int MAX_RENEWALS = 64;

  /** A lease is renewed when so much of its hold has passed. */
  private static final int RENEWALS_PER_HOLD = 3;

  private static final long LEAST_DELAY_NANOS = 1_000L;

  record Due(long acquisition) implements TimerKey {}

  /** What an application knows a lease by. */
  private record Name(String lock, long token) {}

  private final Map<Name, Acquisition> held = new HashMap<>();

  LeaseHolder(Thresholds thresholds, LockTiming timing) {
    super(thresholds, timing);
    onCall(Renew.class, this::onRenew);
    onCall(Release.class, this::onRelease);
  }

  final void hold(Acquisition acquisition, long token, Term term) {
    acquisition.phase = Phase.HELD;
    acquisition.token = token;
    acquisition.term = term;
    acquisition.enteredNanos = now().nanos();
    acquisition.renewAtNanos = now().nanos() + acquisition.wish.holdNanos() / RENEWALS_PER_HOLD;
    held.put(new Name(acquisition.lock(), token), acquisition);
    scheduleHeld(acquisition);
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
      long giveUpNanos = now().nanos() + timing.windowNanos();
      acquisition.renewals.add(
          new Renewal(call, prolong(acquisition, renew.holdNanos()), giveUpNanos));
      scheduleHeld(acquisition);
    }
  }

  /**
   * Asks for more time where the lock is granted, and for the grant where it is not, or no more.
   */
  private Term prolong(Acquisition acquisition, long holdNanos) {
    long leaseNanos = timing.leaseNanos(holdNanos);
    for (Seat seat : acquisition.epoch.seats) {
      switch (seat.state) {
        case MINE -> confirm(acquisition, seat, acquisition.token, leaseNanos);
        case UNHEARD, OTHER, VOID -> request(acquisition, seat);
        case YIELDED -> {} // The server will give it to another, or has done so.
      }
    }
    return new Term(now(), leaseNanos);
  }

  /** Something was heard of a server while the lock is held. */
  final void onNewsWhileHeld(Acquisition acquisition, Seat seat) {
    if (acquisition.term().isOver(now()) || acquisition.epoch.hasForgottenTooMuch(now())) {
      lose(acquisition);
      return;
    }
    if (seat.state == State.MINE && seat.fence < acquisition.token) {
      confirmSoon(acquisition, seat, acquisition.token); // It came late, and knows too little.
    }
    Term term = acquisition.epoch.lease(acquisition.token, now());
    if (term != null && term.remainingNanos(now()) > acquisition.term().remainingNanos(now())) {
      acquisition.term = term;
      tell(new LeaseRenewed(acquisition.lock(), acquisition.token, term));
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
    if (acquisition != null) {
      end(acquisition);
    }
    complete(call, acquisition != null);
  }

  private void end(Acquisition acquisition) {
    leave(acquisition, acquisition.token);
    held.remove(new Name(acquisition.lock(), acquisition.token));
    for (Renewal renewal : acquisition.renewals) {
      fail(renewal.call(), new LeaseLostException(acquisition.lock()));
    }
    acquisition.renewals.clear();
    forget(acquisition);
  }

  /** The acquisition whose lease this is, if it is not over. */
  private @Nullable Acquisition heldBy(long token, String lock) {
    Acquisition acquisition = held.get(new Name(lock, token));
    if (acquisition != null && acquisition.term().isOver(now())) {
      lose(acquisition);
      return null;
    }
    return acquisition;
  }

  private void lose(Acquisition acquisition) {
    tell(new LeaseLost(acquisition.lock(), acquisition.token));
    end(acquisition);
  }

  final void onDueWhileHeld(Acquisition acquisition) {
    if (acquisition.term().isOver(now())) {
      lose(acquisition);
      return;
    }
    for (Renewal renewal : List.copyOf(acquisition.renewals)) {
      if (renewal.giveUpNanos() - now().nanos() <= 0) {
        acquisition.renewals.remove(renewal);
        fail(renewal.call(), tooFew(acquisition, Outcome.UNKNOWN));
      }
    }
    if (acquisition.keeps(now()) && acquisition.renewAtNanos - now().nanos() <= 0) {
      Term unused = prolong(acquisition, acquisition.wish.holdNanos());
      acquisition.renewAtNanos = now().nanos() + acquisition.wish.holdNanos() / RENEWALS_PER_HOLD;
    }
    scheduleHeld(acquisition);
  }

  final NoQuorumException tooFew(Acquisition acquisition, Outcome outcome) {
    return new NoQuorumException(
        heardOf(acquisition), thresholds.servers(), thresholds.consents(), outcome);
  }

  /** The servers that said anything to it, whatever it was. */
  static ServerSet heardOf(Acquisition acquisition) {
    return acquisition.epoch.heardOf().union(acquisition.excuses.servers());
  }

  private void scheduleHeld(Acquisition acquisition) {
    acquisition.timerIsSet = true;
    acquisition.timerNanos = Long.MIN_VALUE / 2;
    setTimer(new Due(acquisition.id()), Math.max(LEAST_DELAY_NANOS, untilDueWhileHeld(acquisition)));
  }

  private long untilDueWhileHeld(Acquisition acquisition) {
    long dueNanos = acquisition.term().remainingNanos(now());
    if (acquisition.keeps(now())) {
      dueNanos = Math.min(dueNanos, acquisition.renewAtNanos - now().nanos());
    }
    for (Renewal renewal : acquisition.renewals) {
      dueNanos = Math.min(dueNanos, renewal.giveUpNanos() - now().nanos());
    }
    return dueNanos;
  }

  final void forget(Acquisition acquisition) {
    acquisition.phase = Phase.OVER;
    byTime.remove(acquisition.id());
    contenders.giveBack(acquisition.lock(), acquisition.contender);
    if (acquisition.timerIsSet) {
      cancelTimer(new Due(acquisition.id()));
    }
  }

  /** Sets the one timer of an acquisition for what comes next; one that is set early may stay. */
  final void schedule(Acquisition acquisition, long untilDueNanos) {
    long delayNanos = Math.max(LEAST_DELAY_NANOS, untilDueNanos);
    long dueNanos = now().nanos() + delayNanos;
    if (!acquisition.timerIsSet || dueNanos - acquisition.timerNanos < 0) {
      acquisition.timerIsSet = true;
      acquisition.timerNanos = dueNanos;
      setTimer(new Due(acquisition.id()), delayNanos);
    }
  }

  /** Whether an answer of this server to this epoch would change what is known of it. */
  public final boolean awaits(ServerId from, long time) {
    Acquisition acquisition = byTime.get(time);
    return acquisition != null && acquisition.epoch.seat(from).state != State.MINE;
  }

  /** The grants by which a lock is held, for checks. */
  public final Map<ServerId, GrantId> grants(String lock, long token) {
    Map<ServerId, GrantId> grants = new HashMap<>();
    Acquisition acquisition = held.get(new Name(lock, token));
    if (acquisition != null) {
      for (Seat seat : acquisition.epoch.seats) {
        if (seat.state == State.MINE && seat.fence >= token) {
          grants.put(seat.server, seat.grant());
        }
      }
    }
    return grants;
  }

  /** The time of the request by which a lock is held, for checks; 0 if it is not. */
  public final long timeOf(String lock, long token) {
    Acquisition acquisition = held.get(new Name(lock, token));
    return acquisition == null ? 0 : acquisition.id();
  }

  /** How many locks are held or wanted. */
  public final int acquisitions() {
    return byTime.size();
  }
}
