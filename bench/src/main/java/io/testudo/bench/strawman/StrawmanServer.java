package io.testudo.bench.strawman;

import io.testudo.bench.strawman.Rejected.Reason;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Machine;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server half of the strawman: a lock is granted to whoever asks while nobody owns it, and all
 * others are told who does. Nothing is on disk: a server that restarts has forgotten its grants.
 */
public final class StrawmanServer extends Machine<ClientId> {
  /** As many locks are remembered; those that nobody owns make room for others. */
  public static final int MAX_LOCKS = 100_000;

  /** How many locks are looked at to make room for one. */
  private static final int EVICTION_TRIES = 16;

  private final LockTiming timing;
  private final LockScope scope;
  private final int maxLocks;
  private final Map<String, LockState> locks = new LinkedHashMap<>(16, 0.75f, true);

  /** Tokens of locks that were forgotten to make room are not above this. */
  private long floor;

  /** What is known of one lock. */
  private static final class LockState {
    long fence;
    @Nullable ClientId owner;
    long attempt;
    long untilNanos;

    LockState(long fence) {
      this.fence = fence;
    }

    boolean isFree(long nowNanos) {
      return owner == null || untilNanos - nowNanos < 0;
    }

    boolean isOf(ClientId client, long ofAttempt) {
      return client.equals(owner) && attempt == ofAttempt;
    }
  }

  public StrawmanServer(LockTiming timing, LockScope scope) {
    this(timing, scope, MAX_LOCKS);
  }

  StrawmanServer(LockTiming timing, LockScope scope, int maxLocks) {
    this.timing = timing;
    this.scope = scope;
    this.maxLocks = maxLocks;
    onMessage(Ask.class, this::onAsk);
    onMessage(Drop.class, this::onDrop);
  }

  private void onAsk(ClientId from, Ask ask) {
    if (!scope.serves(ask.lock())) {
      reject(from, ask, Reason.OTHER_BACKEND, 0, 0);
      return;
    }
    // A shortened lease would end before the client believes it does.
    if (ask.leaseNanos() > timing.maxLeaseNanos()) {
      reject(from, ask, Reason.LEASE_TOO_LONG, 0, timing.maxLeaseNanos());
      return;
    }
    LockState lock = stateFor(ask.lock());
    if (lock == null) {
      reject(from, ask, Reason.TOO_MANY_LOCKS, 0, maxLocks);
      return;
    }
    long nowNanos = now().nanos();
    long untilNanos = nowNanos + timing.serverLeaseNanos(ask.leaseNanos());
    ClientId owner = lock.owner;
    if (lock.isFree(nowNanos)) {
      lock.owner = from;
      lock.attempt = ask.attempt();
      lock.untilNanos = untilNanos;
    } else if (lock.isOf(from, ask.attempt())) {
      lock.untilNanos = Math.max(lock.untilNanos, untilNanos);
    } else {
      reject(from, ask, Reason.OWNED, owner == null ? 0 : owner.session(), 0);
      return;
    }
    send(from, new Granted(ask.lock(), ask.attempt(), ask.number(), lock.fence));
  }

  private void onDrop(ClientId from, Drop drop) {
    LockState lock = scope.serves(drop.lock()) ? stateFor(drop.lock()) : null;
    if (lock == null) {
      return;
    }
    lock.fence = Math.max(lock.fence, drop.fence());
    if (lock.isOf(from, drop.attempt())) {
      lock.owner = null;
    }
  }

  private void reject(ClientId to, Ask ask, Reason reason, long ownerSession, long limit) {
    send(to, new Rejected(ask.attempt(), ask.number(), reason, ownerSession, limit));
  }

  private @Nullable LockState stateFor(String name) {
    LockState known = locks.get(name);
    if (known != null) {
      return known;
    }
    if (locks.size() >= maxLocks && !evictOne()) {
      return null;
    }
    LockState fresh = new LockState(Math.max(floor, scope.fenceFloor(name)));
    locks.put(name, fresh);
    return fresh;
  }

  private boolean evictOne() {
    Iterator<LockState> eldestFirst = locks.values().iterator();
    for (int tries = 0; tries < EVICTION_TRIES && eldestFirst.hasNext(); tries++) {
      LockState lock = eldestFirst.next();
      if (lock.isFree(now().nanos())) {
        floor = Math.max(floor, lock.fence);
        eldestFirst.remove();
        return true;
      }
    }
    return false;
  }

  /** The present owner, for checks. */
  public Optional<ClientId> owner(String lock, long nowNanos) {
    LockState state = locks.get(lock);
    return state == null || state.isFree(nowNanos)
        ? Optional.empty()
        : Optional.ofNullable(state.owner);
  }
}
