package io.testudo.bench.strawman;

import io.testudo.bench.strawman.StrawmanCall.Round;
import io.testudo.mutex.lease.LeaseGrants;
import io.testudo.mutex.lease.LockCall;
import io.testudo.mutex.lease.LockCalls;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Suspicion;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;

/**
 * The client machine of the strawman: all contenders of one process, for any locks. An attempt asks
 * all servers and enters with a quorum of grants. One that cannot get them any more gives back what
 * it got, sleeps for a random time and asks anew. Nobody waits in a line, so who comes first need
 * not be first.
 */
public final class StrawmanClient extends Machine<ServerId> {
  private final Thresholds thresholds;
  private final ServerSet everyone;
  private final LockTiming timing;
  private final RandomRetry retry;
  private final Entropy entropy;
  private final RankClock clock = new RankClock();
  private final LockCalls<StrawmanCall> calls;

  /** Those that try or hold, by their attempt. */
  private final Map<Long, StrawmanCall> byAttempt = new HashMap<>();

  /**
   * Makes a client machine.
   *
   * @param thresholds of {@code SigmaProtocol.CRASHES}
   */
  public StrawmanClient(
      Thresholds thresholds, LockTiming timing, RandomRetry retry, Entropy entropy) {
    this.thresholds = thresholds;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.timing = timing;
    this.retry = retry;
    this.entropy = entropy;
    this.calls = new LockCalls<>(this, thresholds, timing, new Calls());
    onMessage(Granted.class, this::onGranted);
    onMessage(Rejected.class, this::onRejected);
  }

  private final class Calls implements LockCalls.Protocol<StrawmanCall> {
    @Override
    public StrawmanCall begin(LockCall call) {
      StrawmanCall turn = new StrawmanCall(call);
      StrawmanClient.this.begin(turn);
      return turn;
    }

    @Override
    public void due(StrawmanCall turn) {
      if (turn.call.patienceNanos(now(), Long.MAX_VALUE) <= 0) {
        calls.giveUp(turn, turn.wasOutvoted);
      } else if (turn.dueNanos - now().nanos() > 0) {
        schedule(turn);
      } else if (turn.isSleeping) {
        StrawmanClient.this.begin(turn);
      } else {
        tryAgainLater(turn); // Messages were lost, or servers are away.
      }
    }

    @Override
    public void withdraw(StrawmanCall turn) {
      if (!turn.isSleeping) {
        endAttempt(turn, 0);
      }
    }

    @Override
    public ServerSet heardOf(StrawmanCall turn) {
      return turn.heardOf;
    }
  }

  private void begin(StrawmanCall turn) {
    turn.attempt = clock.next(turn.lock(), now(), entropy);
    turn.lastNumber = 0;
    turn.isSleeping = false;
    turn.dueNanos = now().nanos() + timing.windowNanos();
    byAttempt.put(turn.attempt, turn);
    Term unused = ask(turn, turn.call.wish().holdNanos());
    schedule(turn);
  }

  private Term ask(StrawmanCall turn, long holdNanos) {
    Round round = turn.next(new Term(now(), timing.leaseNanos(holdNanos)));
    sendAll(everyone, new Ask(turn.lock(), turn.attempt, round.number, round.term.lengthNanos()));
    return round.term;
  }

  private void onGranted(ServerId from, Granted granted) {
    StrawmanCall turn = byAttempt.get(granted.attempt());
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
    long holdNanos = turn.call.wish().holdNanos();
    if (turn.call.isHeld()) {
      calls.keeper().extend(turn.call.lease(), round.term);
    } else if (round.term.remainingNanos(now()) >= holdNanos) {
      long token = clock.next(turn.lock(), now(), entropy);
      calls.enter(turn.call, holdNanos, token, round.term, new Grants(turn, token));
    } else {
      tryAgainLater(turn); // The answers were slow: too little is left of the lease.
    }
  }

  private final class Grants implements LeaseGrants {
    private final StrawmanCall turn;
    private final long token;

    Grants(StrawmanCall turn, long token) {
      this.turn = turn;
      this.token = token;
    }

    @Override
    public Term prolong(long holdNanos) {
      return ask(turn, holdNanos);
    }

    @Override
    public long windowNanos() {
      return timing.windowNanos();
    }

    @Override
    public ServerSet answered() {
      Round last = turn.rounds.get(turn.lastNumber);
      return last == null ? turn.heardOf : last.granted.union(last.rejected);
    }

    /** Servers learn the token here, and nowhere else. */
    @Override
    public void end(boolean isLost) {
      endAttempt(turn, token);
      calls.forget(turn.call);
    }
  }

  private void onRejected(ServerId from, Rejected rejected) {
    StrawmanCall turn = byAttempt.get(rejected.attempt());
    Round round = turn == null ? null : turn.rounds.get(rejected.number());
    if (turn == null || round == null) {
      return;
    }
    turn.heardOf = turn.heardOf.with(from);
    round.rejected = round.rejected.with(from);
    if (turn.call.isHeld()) {
      return; // A renewal that fails ends with its time, a lease with its own.
    }
    rejected
        .reason()
        .refusal()
        .ifPresentOrElse(
            refusal -> calls.refuse(turn, refusal, rejected.limit()),
            () -> {
              if (round.rejected.size() >= thresholds.blocking()) {
                turn.wasOutvoted = true;
                tryAgainLater(turn);
              }
            });
  }

  /** Gives back what was granted, and sleeps. */
  private void tryAgainLater(StrawmanCall turn) {
    if (turn.call.triesOnce()) {
      calls.giveUp(turn, turn.wasOutvoted);
      return;
    }
    endAttempt(turn, 0);
    turn.isSleeping = true;
    turn.dueNanos = now().nanos() + retry.drawNanos(entropy);
    schedule(turn);
  }

  /** All servers are told: grants may be on their way. */
  private void endAttempt(StrawmanCall turn, long token) {
    byAttempt.remove(turn.attempt);
    turn.rounds.clear();
    sendAll(everyone, new Drop(turn.lock(), turn.attempt, token));
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    calls.cancelled(call);
  }

  private void schedule(StrawmanCall turn) {
    long patienceNanos = turn.call.patienceNanos(now(), Long.MAX_VALUE);
    calls.schedule(turn.call, Math.min(patienceNanos, turn.dueNanos - now().nanos()));
  }
}
