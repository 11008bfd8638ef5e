package io.testudo.bench.strawman;

import io.testudo.bench.strawman.Rejected.Reason;
import io.testudo.mutex.lease.LockGrant;
import io.testudo.mutex.lease.LockTable;
import io.testudo.mutex.lease.WaitingLine;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Machine;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server machine of the strawman: a lock is granted to whoever asks while nobody owns it, and
 * all others are told who does. Nothing is on disk: a server that restarts has forgotten its
 * grants.
 */
public final class StrawmanServer extends Machine<ClientId> {
  /** While an attempt is refused it has made no other request. */
  private static final long FIRST_REQUEST = 1;

  private static final WaitingLine<WaitingLine.Member> NOBODY = new WaitingLine<>();

  private final LockTable<Owned> locks;

  /** What is known of one lock. */
  private static final class Owned implements LockTable.Entry {
    private final String name;
    private long fence;
    private @Nullable LockGrant grant;

    Owned(String name, long fence) {
      this.name = name;
      this.fence = fence;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public @Nullable LockGrant grant() {
      return grant;
    }

    /** {@inheritDoc} It is told when the lock is given back, and not before. */
    @Override
    public long token() {
      return fence;
    }

    @Override
    public long highestToken() {
      return fence;
    }

    @Override
    public WaitingLine<?> waiting() {
      return NOBODY;
    }
  }

  public StrawmanServer(LockTiming timing, LockScope scope) {
    this(timing, scope, LockTable.MAX_LOCKS);
  }

  StrawmanServer(LockTiming timing, LockScope scope, int maxLocks) {
    this.locks =
        new LockTable<>(
            this,
            StrawmanProtocol.NAME,
            timing,
            scope,
            maxLocks,
            Owned::new,
            (attempt, reason, limit) ->
                new Rejected(attempt, FIRST_REQUEST, Reason.of(reason), 0, limit));
    onMessage(Ask.class, this::onAsk);
    onMessage(Drop.class, this::onDrop);
  }

  private void onAsk(ClientId from, Ask ask) {
    Owned lock = locks.open(from, ask.lock(), ask.attempt(), ask.leaseNanos());
    if (lock == null) {
      return;
    }
    Contender asking = new Contender(from, 0);
    long untilNanos = locks.endOf(ask.leaseNanos());
    LockGrant grant = lock.grant;
    if (grant == null || grant.isOver(now().nanos())) {
      lock.grant = new LockGrant(asking, ask.attempt(), ask.number(), untilNanos);
    } else if (grant.isOf(asking, ask.attempt())) {
      lock.grant = grant.extended(untilNanos, ask.number());
    } else {
      long ownerSession = grant.owner().client().session();
      send(from, new Rejected(ask.attempt(), ask.number(), Reason.OWNED, ownerSession, 0));
      return;
    }
    send(from, new Granted(ask.lock(), ask.attempt(), ask.number(), lock.fence));
  }

  private void onDrop(ClientId from, Drop drop) {
    Owned lock = locks.open(from, drop.lock());
    if (lock == null) {
      return;
    }
    lock.fence = Math.max(lock.fence, drop.fence());
    if (lock.grant != null && lock.grant.isOf(new Contender(from, 0), drop.attempt())) {
      lock.grant = null;
    }
  }

  /** The present owner, for checks. */
  public Optional<ClientId> owner(String lock, long nowNanos) {
    Owned known = locks.find(lock);
    return Optional.ofNullable(known == null ? null : known.grant)
        .filter(grant -> !grant.isOver(nowNanos))
        .map(grant -> grant.owner().client());
  }
}
