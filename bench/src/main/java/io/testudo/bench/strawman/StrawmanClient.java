package io.testudo.bench.strawman;

import io.testudo.bench.strawman.Turn.Phase;
import io.testudo.bench.strawman.Turn.Round;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockRefusedException;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.Release;
import io.testudo.mutex.protocol.Renew;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The client half of the strawman: all contenders of one process, for any locks. An attempt asks
 * all servers and enters with a quorum of grants. One that cannot get them any more gives back what
 * it got, sleeps for a random time and asks anew. Nobody waits in a line, so who comes first need
 * not be first.
 */
public final class StrawmanClient extends Machine<ServerId> {
  /** A process that asks for more locks at once has lost count of them. */
  public static final int MAX_TURNS = 65_536;

  private static final int MAX_RENEWALS = 64;

  /** A lease is renewed when so much of its hold has passed. */
  private static final int RENEWALS_PER_HOLD = 3;

  private static final long LEAST_DELAY_NANOS = 1_000L;

  private record Due(long turn) implements TimerKey {}

  private final Thresholds thresholds;
  private final ServerSet everyone;
  private final LockTiming timing;
  private final RandomRetry retry;
  private final Entropy entropy;
  private final RankClock clock = new RankClock();
  private final Map<Long, Turn> turns = new HashMap<>();

  /** Those that try or hold, by their attempt. */
  private final Map<Long, Turn> byAttempt = new HashMap<>();

  /** Those that hold, by their token. */
  private final Map<Long, Turn> byToken = new HashMap<>();

  /**
   * Makes a client half.
   *
   * @param thresholds of {@code Need.SIGMA}
   */
  public StrawmanClient(
      Thresholds thresholds, LockTiming timing, RandomRetry retry, Entropy entropy) {
    this.thresholds = thresholds;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.timing = timing;
    this.retry = retry;
    this.entropy = entropy;
    onCall(Acquire.class, this::onAcquire);
    onCall(Renew.class, this::onRenew);
    onCall(Release.class, this::onRelease);
    onMessage(Granted.class, this::onGranted);
    onMessage(Rejected.class, this::onRejected);
    onTimer(Due.class, this::onDue);
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    if (wish.holdNanos() > timing.maxHoldNanos()) {
      fail(call, tooLong(wish.lock()));
    } else if (turns.size() >= MAX_TURNS) {
      fail(call, new OverloadedException("locks held or wanted", MAX_TURNS));
    } else {
      Turn turn = new Turn(call, wish, now());
      turns.put(turn.id(), turn);
      begin(turn);
    }
  }

  private LockRefusedException tooLong(String lock) {
    long mostMillis = timing.maxHoldNanos() / 1_000_000;
    return new LockRefusedException(lock, "a hold may last %d ms at most".formatted(mostMillis));
  }

  private void begin(Turn turn) {
    turn.attempt = clock.next(turn.lock(), now(), entropy);
    turn.lastNumber = 0;
    turn.phase = Phase.TRYING;
    byAttempt.put(turn.attempt, turn);
    ask(turn, turn.wish.holdNanos());
    schedule(turn);
  }

  private Round ask(Turn turn, long holdNanos) {
    long leaseNanos = timing.leaseNanos(holdNanos);
    long giveUpNanos = now().nanos() + timing.windowNanos();
    Round round = new Round(++turn.lastNumber, new Term(now(), leaseNanos), giveUpNanos);
    turn.rounds.put(round.number, round);
    sendAll(everyone, new Ask(turn.lock(), turn.attempt, round.number, leaseNanos));
    return round;
  }

  private void onGranted(ServerId from, Granted granted) {
    Turn turn = byAttempt.get(granted.attempt());
    if (turn == null) {
      // The attempt is dead, and a grant to the dead keeps everybody out.
      send(from, new Drop(granted.lock(), granted.attempt(), 0));
      return;
    }
    if (granted.number() > turn.lastNumber || !granted.lock().equals(turn.lock())) {
      tell(new Suspicion(from, "grants a request that was never made"));
      return;
    }
    turn.heardOf = turn.heardOf.with(from);
    clock.observe(turn.lock(), granted.fence());
    Round round = turn.rounds.get(granted.number());
    if (round == null) {
      return;
    }
    round.granted = round.granted.with(from);
    if (round.granted.size() < thresholds.consents()) {
      return;
    }
    turn.rounds.remove(round.number);
    if (turn.phase == Phase.HELD) {
      extend(turn, round);
    } else if (round.term.remainingNanos(now()) >= turn.wish.holdNanos()) {
      enter(turn, round);
    } else {
      tryAgainLater(turn); // The answers were slow: too little is left of the lease.
    }
  }

  private void enter(Turn turn, Round round) {
    turn.phase = Phase.HELD;
    turn.token = clock.next(turn.lock(), now(), entropy);
    turn.term = round.term;
    turn.enteredNanos = now().nanos();
    turn.renewAtNanos = now().nanos() + turn.wish.holdNanos() / RENEWALS_PER_HOLD;
    byToken.put(turn.token, turn);
    schedule(turn);
    complete(turn.call, new Held(turn.lock(), turn.token, round.term));
  }

  private void extend(Turn turn, Round round) {
    if (turn.term().isOver(now())) {
      lose(turn);
      return;
    }
    if (round.term.remainingNanos(now()) > turn.term().remainingNanos(now())) {
      turn.term = round.term;
      tell(new LeaseRenewed(turn.lock(), turn.token, round.term));
    }
    if (round.call != null) {
      complete(round.call, turn.term());
    }
    schedule(turn);
  }

  private void onRejected(ServerId from, Rejected rejected) {
    Turn turn = byAttempt.get(rejected.attempt());
    Round round = turn == null ? null : turn.rounds.get(rejected.number());
    if (turn == null || round == null) {
      return;
    }
    turn.heardOf = turn.heardOf.with(from);
    round.rejected = round.rejected.with(from);
    if (turn.phase == Phase.HELD) {
      return; // A renewal that fails ends with its time, a lease with its own.
    }
    switch (rejected.reason()) {
      case LEASE_TOO_LONG -> giveUp(turn, tooLong(turn.lock()));
      case TOO_MANY_LOCKS -> {
        String why = "%d locks are in use".formatted(rejected.limit());
        giveUp(turn, new LockRefusedException(turn.lock(), why));
      }
      case OTHER_BACKEND -> {
        String why = "the servers have bound this name to another backend";
        giveUp(turn, new LockRefusedException(turn.lock(), why));
      }
      case OWNED -> {
        if (round.rejected.size() >= thresholds.blocking()) {
          turn.wasOutvoted = true;
          tryAgainLater(turn);
        }
      }
    }
  }

  /** Gives back what was granted, and sleeps. */
  private void tryAgainLater(Turn turn) {
    if (!turn.mayTryAgain()) {
      giveUp(turn, notAcquired(turn));
      return;
    }
    endAttempt(turn);
    turn.phase = Phase.SLEEPING;
    turn.wakeNanos = now().nanos() + retry.drawNanos(entropy);
    schedule(turn);
  }

  /** All servers are told: grants may be on their way. */
  private void endAttempt(Turn turn) {
    byAttempt.remove(turn.attempt);
    turn.rounds.clear();
    sendAll(everyone, new Drop(turn.lock(), turn.attempt, 0));
  }

  private TestudoException notAcquired(Turn turn) {
    return turn.wasOutvoted || turn.heardOf.size() >= thresholds.consents()
        ? new NotAcquiredException(turn.lock())
        : noQuorum(turn.heardOf, Outcome.DID_NOT_HAPPEN);
  }

  private NoQuorumException noQuorum(ServerSet heardOf, Outcome outcome) {
    return new NoQuorumException(heardOf, thresholds.servers(), thresholds.consents(), outcome);
  }

  private void giveUp(Turn turn, TestudoException reason) {
    if (turn.phase == Phase.TRYING) {
      endAttempt(turn);
    }
    fail(turn.call, reason);
    forget(turn);
  }

  private void forget(Turn turn) {
    turns.remove(turn.id());
    cancelTimer(new Due(turn.id()));
  }

  private void onRenew(CallId<Term> call, Renew renew) {
    Turn turn = heldBy(renew.token(), renew.lock());
    if (turn == null) {
      fail(call, new LeaseLostException(renew.lock()));
    } else if (renew.holdNanos() > timing.maxHoldNanos()) {
      fail(call, tooLong(renew.lock()));
    } else if (turn.rounds.size() >= MAX_RENEWALS) {
      fail(call, new OverloadedException("renewals of one lease", MAX_RENEWALS));
    } else {
      ask(turn, renew.holdNanos()).call = call;
      schedule(turn);
    }
  }

  private void onRelease(CallId<Boolean> call, Release release) {
    Turn turn = heldBy(release.token(), release.lock());
    if (turn != null) {
      endLease(turn);
    }
    complete(call, turn != null);
  }

  /** The turn whose lease this is, if it is not over. */
  private @Nullable Turn heldBy(long token, String lock) {
    Turn turn = byToken.get(token);
    if (turn == null || !turn.lock().equals(lock)) {
      return null;
    }
    if (turn.term().isOver(now())) {
      lose(turn);
      return null;
    }
    return turn;
  }

  private void lose(Turn turn) {
    tell(new LeaseLost(turn.lock(), turn.token));
    endLease(turn);
  }

  /** Servers learn the token here, and nowhere else. */
  private void endLease(Turn turn) {
    for (Round round : turn.rounds.values()) {
      if (round.call != null) {
        fail(round.call, new LeaseLostException(turn.lock()));
      }
    }
    byAttempt.remove(turn.attempt);
    byToken.remove(turn.token);
    sendAll(everyone, new Drop(turn.lock(), turn.attempt, turn.token));
    forget(turn);
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    Turn turn = turns.get(call.number());
    if (turn != null && turn.phase != Phase.HELD) {
      if (turn.phase == Phase.TRYING) {
        endAttempt(turn);
      }
      forget(turn);
      return;
    }
    for (Turn held : byToken.values()) {
      for (Round round : held.rounds.values()) {
        if (round.call != null && round.call.number() == call.number()) {
          round.call = null;
        }
      }
    }
  }

  private void onDue(Due due) {
    Turn turn = turns.get(due.turn());
    if (turn == null) {
      return;
    }
    if (turn.phase == Phase.HELD) {
      onDueWhileHeld(turn);
    } else if (turn.patienceNanos(now()) <= 0) {
      giveUp(turn, notAcquired(turn));
    } else if (turn.phase == Phase.TRYING && turn.hasOverdueRound(now())) {
      tryAgainLater(turn); // Messages were lost, or servers are away.
    } else if (turn.phase == Phase.SLEEPING && turn.wakeNanos - now().nanos() <= 0) {
      begin(turn);
    } else {
      schedule(turn);
    }
  }

  private void onDueWhileHeld(Turn turn) {
    if (turn.term().isOver(now())) {
      lose(turn);
      return;
    }
    for (Round round : List.copyOf(turn.rounds.values())) {
      if (round.isOverdue(now())) {
        turn.rounds.remove(round.number);
        failRenewal(round);
      }
    }
    if (turn.keeps(now()) && turn.renewAtNanos - now().nanos() <= 0) {
      ask(turn, turn.wish.holdNanos());
      turn.renewAtNanos = now().nanos() + turn.wish.holdNanos() / RENEWALS_PER_HOLD;
    }
    schedule(turn);
  }

  private void failRenewal(Round round) {
    if (round.call != null) {
      fail(round.call, noQuorum(round.granted.union(round.rejected), Outcome.UNKNOWN));
    }
  }

  private void schedule(Turn turn) {
    setTimer(new Due(turn.id()), Math.max(LEAST_DELAY_NANOS, turn.untilDueNanos(now())));
  }
}
