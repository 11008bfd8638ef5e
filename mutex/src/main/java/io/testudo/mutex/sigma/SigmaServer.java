package io.testudo.mutex.sigma;

import io.testudo.mutex.lease.DueTimer;
import io.testudo.mutex.lease.LockGrant;
import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.lease.LockUsage;
import io.testudo.mutex.lease.Quarantine;
import io.testudo.mutex.lease.RefusalReason;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.StateRecord;
import io.testudo.quorum.protocol.TimerKey;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server machine of Sigma: lines 26 to 56 of Figure 1 (2005), with grant ids, leases and
 * fences. For each lock it supports one owner and keeps the others in a queue. Nothing is on disk:
 * a server that starts knows nothing and is another incarnation.
 */
public final class SigmaServer extends Machine<ClientId> implements LockUsage.Source {
  /** What configurations call this protocol. */
  public static final String PROTOCOL = "sigma";

  /** A fence may go so far beyond one that is ahead of the clock already. */
  private static final long STRIDE = RankClock.ofMillis(2_000);

  private record Upkeep(String lock) implements TimerKey {}

  private final LockTiming timing;
  private final SigmaTuning tuning;
  private final Entropy entropy;
  private final LockTable<QueuedLock> locks;
  private final Quarantine quarantine;

  private long incarnation;
  private long lastState;

  public SigmaServer(LockTiming timing, SigmaTuning tuning, LockScope scope, Entropy entropy) {
    this(timing, tuning, scope, entropy, LockTable.MAX_LOCKS);
  }

  SigmaServer(
      LockTiming timing, SigmaTuning tuning, LockScope scope, Entropy entropy, int maxLocks) {
    this.timing = timing;
    this.tuning = tuning;
    this.entropy = entropy;
    this.locks =
        new LockTable<>(
            this,
            PROTOCOL,
            timing,
            scope,
            maxLocks,
            (name, floor) ->
                new QueuedLock(
                    name, floor, ++lastState, new DueTimer<>(effects(), new Upkeep(name))),
            SigmaRefused::new);
    this.quarantine = new Quarantine(this);
    onMessage(Request.class, this::onRequest);
    onMessage(Yield.class, this::onYield);
    onMessage(SigmaRelease.class, this::onRelease);
    onMessage(Inquiry.class, this::onInquiry);
    onMessage(Confirm.class, this::onConfirm);
    onTimer(Upkeep.class, this::onUpkeep);
  }

  @Override
  protected void onStarted(List<StateRecord> recovered) {
    incarnation = entropy.nextLong();
    if (tuning.quarantine()) {
      quarantine.begin(timing.serverLeaseNanos(timing.maxLeaseNanos()));
    }
  }

  private void onRequest(ClientId from, Request request) {
    QueuedLock lock = opened(from, request, request.leaseNanos());
    if (lock == null) {
      return;
    }
    Contender contender = new Contender(from, request.contender());
    Waiting asking =
        new Waiting(
            contender, request.time(), request.leaseNanos(), request.number(), now().nanos(), 0);
    if (lock.owner == null) {
      grant(lock, asking);
    } else if (lock.owner.contender().equals(contender)) {
      lock.owner = lock.owner.prolonged(locks.endOf(request.leaseNanos()), request.number());
      respond(lock, contender, request.time(), request.number());
    } else {
      Waiting before = lock.line.find(contender);
      if (before == null || before.number() < request.number()) {
        queue(lock, asking, before); // What is repeated is no sign of life.
      }
      respond(lock, contender, request.time(), request.number());
    }
    watch(lock);
  }

  /** Those who do not come when they were told to are dropped in the end, so that is noted. */
  private void queue(QueuedLock lock, Waiting waiting, @Nullable Waiting before) {
    lock.line.put(waiting);
    long position = positionOf(lock, waiting.contender());
    lock.line.put(waiting.withPause(lock.pauseNanos(position, before, timing)));
  }

  /** Who is not in the queue comes after all who are. */
  private static long positionOf(QueuedLock lock, Contender contender) {
    long position = lock.line.positionOf(contender);
    return position > 0 ? position : lock.line.size() + 1;
  }

  private void onYield(ClientId from, Yield yield) {
    QueuedLock lock = opened(from, yield, yield.leaseNanos());
    if (lock == null) {
      return;
    }
    Contender contender = new Contender(from, yield.contender());
    boolean isItsOwn = isGranted(lock, contender, yield.time(), yield.grant());
    if (isItsOwn) {
      lock.owner = null; // It was not entered: its fence is free for the next.
      Waiting yields =
          new Waiting(
              contender, yield.time(), yield.leaseNanos(), yield.number(), now().nanos(), 0);
      queue(lock, yields, null);
      serveNext(lock);
    }
    boolean hasItAgain = lock.owner != null && lock.owner.contender().equals(contender);
    if (!isItsOwn || !hasItAgain) {
      respond(lock, contender, yield.time(), yield.number());
    }
    watch(lock);
  }

  private void onRelease(ClientId from, SigmaRelease release) {
    if (quarantine.lasts()) {
      return;
    }
    QueuedLock lock = locks.open(from, release.lock()); // It may have overtaken what it withdraws.
    if (lock == null) {
      return;
    }
    serve(lock);
    Contender contender = new Contender(from, release.contender());
    lock.left.mark(contender, release.time());
    if (!isTooFar(lock, release.token())) {
      lock.usedFence = Math.max(lock.usedFence, release.token());
    }
    long entry = lock.entryOf(contender);
    if (entry != 0 && entry <= release.time()) {
      boolean exact = entry == release.time() && release.token() != SigmaRelease.UNKNOWN;
      remove(lock, contender, !exact);
    }
    watch(lock);
  }

  private void onInquiry(ClientId from, Inquiry inquiry) {
    QueuedLock lock = opened(from, inquiry, 0);
    if (lock == null) {
      return;
    }
    Contender contender = new Contender(from, inquiry.contender());
    respond(lock, contender, inquiry.time(), inquiry.number());
    watch(lock);
  }

  private void onConfirm(ClientId from, Confirm confirm) {
    QueuedLock lock = opened(from, confirm, confirm.leaseNanos());
    if (lock == null) {
      return;
    }
    Contender contender = new Contender(from, confirm.contender());
    if (lock.owner != null && isGranted(lock, contender, confirm.time(), confirm.grant())) {
      Ownership owner = lock.owner;
      lock.owner =
          (isTooFar(lock, confirm.fence()) ? owner : owner.withFence(confirm.fence()))
              .prolonged(locks.endOf(confirm.leaseNanos()), confirm.number());
    }
    respond(lock, contender, confirm.time(), confirm.number());
    watch(lock);
  }

  /**
   * What lines 26 to 29 do for all messages but RELEASE: gives the lock with its state up to date,
   * or null if the message is refused or of an epoch that is over.
   */
  private @Nullable QueuedLock opened(ClientId from, SigmaRequest request, long leaseNanos) {
    if (quarantine.lasts()) {
      locks.refuse(from, request.time(), RefusalReason.QUARANTINED, quarantine.remainingNanos());
      return null;
    }
    QueuedLock lock = locks.open(from, request.lock(), request.time(), leaseNanos);
    if (lock == null) {
      return null;
    }
    serve(lock);
    Contender contender = new Contender(from, request.contender());
    long entry = lock.entryOf(contender);
    if (entry == 0 && request.time() > locks.horizon()) {
      locks.refuse(from, request.time(), RefusalReason.CLOCK_AHEAD, locks.horizon());
      watch(lock);
      return null;
    }
    if (request.time() < entry || lock.left.cover(contender, request.time())) {
      watch(lock);
      return null;
    }
    if (entry != 0 && entry < request.time()) {
      lock.left.mark(contender, entry); // What is repeated of it must not bring it back.
      remove(lock, contender, true);
    }
    return lock;
  }

  /**
   * Whether a token is so far ahead that no client has it that is honest and has a fair clock. One
   * that was confirmed by servers whose clocks are ahead of this one is not.
   */
  private boolean isTooFar(QueuedLock lock, long token) {
    return token > timing.horizonAt(now().wallMillis() + timing.maxSkewMillis())
        && token - lock.highestToken() > STRIDE;
  }

  private boolean isGranted(QueuedLock lock, Contender contender, long time, GrantId grant) {
    return lock.owner != null
        && lock.owner.grant().isOf(contender, time)
        && grant.incarnation() == incarnation
        && grant.number() == lock.owner.number();
  }

  /** Delete, lines 50 to 56. Where it is not known whether the owner had entered, it had. */
  private void remove(QueuedLock lock, Contender contender, boolean mayHaveEntered) {
    if (lock.owner != null && lock.owner.contender().equals(contender)) {
      lock.sawTurn(lock.owner.sinceNanos(), now().nanos());
      if (mayHaveEntered) {
        lock.usedFence = Math.max(lock.usedFence, lock.owner.fence());
      }
      lock.owner = null;
      serveNext(lock);
    } else {
      lock.line.remove(contender);
    }
  }

  /**
   * Ends what is over and gives the lock to the first of those who wait. Comes before anything else
   * that is done with a lock, because a timer may be late.
   */
  private void serve(QueuedLock lock) {
    if (lock.owner != null && lock.owner.grant().isOver(now().nanos())) {
      lock.usedFence = Math.max(lock.usedFence, lock.owner.fence());
      lock.owner = null;
      serveNext(lock);
    }
  }

  private void serveNext(QueuedLock lock) {
    Waiting next = lock.line.takeFirst(now(), timing.waiterExpiryNanos());
    if (next != null) {
      grant(lock, next);
    } else {
      lock.stateNumber = ++lastState;
    }
  }

  private void grant(QueuedLock lock, Waiting to) {
    lock.stateNumber = ++lastState;
    long fence = Math.max(lock.usedFence + 1, to.time());
    long endNanos = locks.endOf(to.leaseNanos());
    // What clocks may err by while it waits is added, or a long wait would use up the lease.
    long agedNanos = now().nanos() - to.heardNanos();
    long latestNanos = locks.endOf(timing.maxLeaseNanos());
    long errorNanos = timing.serverLeaseNanos(agedNanos) - agedNanos;
    long addedNanos = Math.min(errorNanos, latestNanos - endNanos);
    lock.owner =
        new Ownership(
            new LockGrant(to.contender(), to.time(), to.number(), endNanos + addedNanos),
            lock.stateNumber,
            fence,
            now().nanos(),
            agedNanos + addedNanos);
    lock.nextCheckNanos = now().nanos() + tuning.checkNanos();
    respond(lock, to.contender(), to.time(), to.number());
  }

  private void respond(QueuedLock lock, Contender to, long time, long echo) {
    Ownership owner = lock.owner;
    GrantId state = new GrantId(incarnation, lock.stateNumber);
    if (owner != null && owner.grant().isOf(to, time)) {
      send(
          to.client(),
          new Response(
              lock.name,
              to.number(),
              time,
              owner.shown(),
              true,
              state,
              0,
              owner.waitedNanos(),
              echo,
              owner.grant().number(),
              owner.fence()));
      return;
    }
    Owner shown = owner == null ? Owner.NONE : owner.shown();
    Waiting waiting = lock.line.find(to);
    long position = waiting == null ? 0 : lock.line.positionOf(to);
    long waitNanos =
        waiting == null
            ? lock.pauseNanos(positionOf(lock, to), null, timing)
            : Math.max(0, waiting.awaitedNanos() - now().nanos());
    send(
        to.client(),
        new Response(
            lock.name, to.number(), time, shown, false, state, position, waitNanos, echo, 0, 0));
  }

  /** Sets the timer for the next check or the end of the lease. */
  private void watch(QueuedLock lock) {
    if (lock.owner == null) {
      return;
    }
    long endNanos = lock.owner.grant().untilNanos() + 1;
    lock.timer.ringBy(lock.nextCheckNanos - endNanos < 0 ? lock.nextCheckNanos : endNanos);
  }

  private void onUpkeep(Upkeep upkeep) {
    QueuedLock lock = locks.find(upkeep.lock());
    if (lock == null) {
      return;
    }
    lock.timer.rings();
    serve(lock);
    Ownership owner = lock.owner;
    if (owner != null && lock.nextCheckNanos - now().nanos() <= 0) {
      lock.nextCheckNanos = now().nanos() + tuning.checkNanos();
      send(
          owner.contender().client(),
          new Check(
              lock.name,
              owner.contender().number(),
              owner.grant().time(),
              new GrantId(incarnation, owner.number()),
              owner.grant().number(),
              owner.grant().number(),
              owner.fence()));
    }
    watch(lock);
  }

  /** What is known of a lock, for checks; empty if nothing is. */
  public Optional<SigmaLockView> view(String lock) {
    QueuedLock known = locks.find(lock);
    return known == null ? Optional.empty() : Optional.of(SigmaLockView.of(known, incarnation));
  }

  /** The names of all locks that are remembered. */
  public List<String> lockNames() {
    return locks.all().stream().map(lock -> lock.name).toList();
  }

  @Override
  public LockUsage lockUsage() {
    return locks.usage();
  }
}
