package io.testudo.mutex.toy;

import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.lease.KeptLease;
import io.testudo.mutex.lease.LeaseGrants;
import io.testudo.mutex.lease.LeaseKeeper;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.mutex.protocol.Term;
import io.testudo.mutex.toy.ToyProtocol.ToyAnswer;
import io.testudo.mutex.toy.ToyProtocol.ToyAsk;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks all servers, and is in with a quorum of them. Leases are kept as by every protocol. */
final class ToyClient extends Machine<ServerId> {
  private record Again(long call) implements TimerKey {}

  private final Thresholds thresholds;
  private final LockTiming timing;
  private final Entropy entropy;
  private final ServerSet everyone;
  private final LeaseKeeper keeper;
  private final RankClock clock = new RankClock();
  private final Map<Long, Try> byCall = new HashMap<>();
  private final Map<Long, Try> byAttempt = new HashMap<>();

  ToyClient(Thresholds thresholds, LockTiming timing, Entropy entropy) {
    this.thresholds = thresholds;
    this.timing = timing;
    this.entropy = entropy;
    this.everyone = ServerSet.firstN(thresholds.servers());
    this.keeper = new LeaseKeeper(this, thresholds, timing);
    onCall(Acquire.class, this::onAcquire);
    onMessage(ToyAnswer.class, this::onAnswer);
    onTimer(Again.class, this::onAgain);
  }

  /** A call for a lock, and then its lease. */
  private final class Try implements LeaseGrants {
    final CallId<Held> call;
    final Acquire wish;
    final long begunNanos = now().nanos();
    long attempt;
    long number;
    Term asked;
    ServerSet granted = ServerSet.none();
    @Nullable KeptLease lease;

    Try(CallId<Held> call, Acquire wish) {
      this.call = call;
      this.wish = wish;
      this.asked = new Term(now(), timing.leaseNanos(wish.holdNanos()));
    }

    @Override
    public Term prolong(long holdNanos) {
      asked = new Term(now(), timing.leaseNanos(holdNanos));
      number++;
      granted = ServerSet.none();
      sendAll(everyone, new ToyAsk(wish.lock(), attempt, number, timing.leaseNanos(holdNanos)));
      return asked;
    }

    @Override
    public long windowNanos() {
      return timing.windowNanos();
    }

    @Override
    public ServerSet answered() {
      return granted;
    }

    @Override
    public void end(boolean isLost) {
      byAttempt.remove(attempt);
      sendAll(everyone, new ToyAsk(wish.lock(), attempt, number, 0));
    }
  }

  private void onAcquire(CallId<Held> call, Acquire wish) {
    Try one = new Try(call, wish);
    byCall.put(call.number(), one);
    begin(one);
  }

  private void begin(Try one) {
    one.attempt = clock.next(one.wish.lock(), now(), entropy);
    byAttempt.put(one.attempt, one);
    Term unused = one.prolong(one.wish.holdNanos());
    setTimer(
        new Again(one.call.number()),
        timing.windowNanos() + entropy.nextLong(timing.windowNanos()));
  }

  /** Too few servers were free in time. */
  private void onAgain(Again again) {
    Try one = byCall.get(again.call());
    if (one == null) {
      return;
    }
    long waitedNanos = now().nanos() - one.begunNanos;
    one.end(true);
    if (one.wish.waitNanos() != Acquire.FOREVER && waitedNanos >= one.wish.waitNanos()) {
      byCall.remove(again.call());
      fail(one.call, new NotAcquiredException(one.wish.lock()));
    } else {
      begin(one);
    }
  }

  private void onAnswer(ServerId from, ToyAnswer answer) {
    clock.observe(answer.lock(), answer.owner());
    Try one = byAttempt.get(answer.attempt());
    if (one == null || answer.number() != one.number || answer.owner() != answer.attempt()) {
      return;
    }
    one.granted = one.granted.with(from);
    boolean isEnough = one.granted.size() >= thresholds.consents();
    if (one.lease != null) {
      keeper.extend(one.lease, isEnough ? one.asked : null);
    } else if (isEnough && one.asked.remainingNanos(now()) >= one.wish.holdNanos()) {
      byCall.remove(one.call.number());
      cancelTimer(new Again(one.call.number()));
      one.lease = keeper.hold(one.wish, one.wish.holdNanos(), one.attempt, one.asked, one);
      complete(one.call, new Held(one.wish.lock(), one.attempt, one.asked));
    }
  }

  @Override
  protected void onCancelled(CallId<?> call) {
    keeper.cancelled(call);
    Try one = byCall.remove(call.number());
    if (one != null) {
      one.end(true);
      cancelTimer(new Again(call.number()));
    }
  }
}
