package io.testudo.mutex.lease;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.protocol.Contender;
import io.testudo.mutex.protocol.ListLocks;
import io.testudo.mutex.protocol.LockList;
import io.testudo.mutex.protocol.LockScope;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.LockView;
import io.testudo.mutex.protocol.RankClock;
import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Part;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a server that remembers locks, in a bounded number, and lists them. It opens a lock
 * for who asks something of it, or refuses what this server never grants. A lock that is not in use
 * makes room for another; of it only a floor for fencing tokens is kept.
 *
 * @param <L> what the protocol remembers of each lock
 */
public final class LockTable<L extends LockTable.Entry> extends Part<ClientId> {
  /** As many locks are remembered; those that are not in use make room for others. */
  public static final int MAX_LOCKS = 100_000;

  /** How many idle locks are looked at to make room for one. */
  private static final int EVICTION_TRIES = 16;

  /** What is remembered of a lock, whatever the protocol. */
  public interface Entry {
    String name();

    /** The last grant, if it was not given back; it may be over. */
    @Nullable LockGrant grant();

    /** The fencing token of that grant. */
    long token();

    /** No fencing token was granted above it. */
    long highestToken();

    WaitingLine<?> waiting();

    /** Whether nothing here is needed but the highest token. */
    default boolean isIdle(long nowNanos) {
      LockGrant grant = grant();
      return waiting().isEmpty() && (grant == null || grant.isOver(nowNanos));
    }

    /** What operators are told of it. */
    default LockView view(long nowNanos) {
      return new LockView(
          name(),
          Optional.ofNullable(grant())
              .filter(grant -> !grant.isOver(nowNanos))
              .map(
                  grant ->
                      new LockView.Holding(
                          grant.owner().user(), token(), grant.untilNanos() - nowNanos)),
          waiting().stream()
              .limit(LockView.MAX_WAITERS)
              .map(WaitingLine.Member::contender)
              .map(Contender::user)
              .collect(ImmutableList.toImmutableList()),
          waiting().size());
    }
  }

  /** Makes an entry for a lock whose tokens must be above a floor. */
  public interface Maker<L> {
    L make(String name, long floor);
  }

  /** Makes the protocol's message that refuses a request of this time. */
  public interface Refusal {
    Message of(long time, RefusalReason reason, long limit);
  }

  private final LockTiming timing;
  private final LockScope scope;
  private final int maxLocks;
  private final Maker<L> maker;
  private final Refusal refusal;
  private final RankFloors floors = new RankFloors();
  private final Map<String, L> locks = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Makes an empty table.
   *
   * @param protocol what configurations call it
   */
  public LockTable(
      Part<ClientId> server,
      String protocol,
      LockTiming timing,
      LockScope scope,
      int maxLocks,
      Maker<L> maker,
      Refusal refusal) {
    super(server);
    this.timing = timing;
    this.scope = scope;
    this.maxLocks = maxLocks;
    this.maker = maker;
    this.refusal = refusal;
    onMessage(
        ListLocks.class,
        (from, question) -> {
          if (question.backend().equals(protocol)) {
            send(from, LockList.page(question.nonce(), inUse(question)));
          }
        });
  }

  private Stream<LockView> inUse(ListLocks question) {
    return locks.values().stream()
        .filter(lock -> question.covers(lock.name()) && !lock.isIdle(now().nanos()))
        .sorted(Comparator.comparing(Entry::name))
        .map(lock -> lock.view(now().nanos()));
  }

  /**
   * The lock for which a lease is asked, or null if that was refused.
   *
   * @param time of the request
   */
  public @Nullable L open(ClientId from, String name, long time, long leaseNanos) {
    if (!scope.serves(name)) {
      refuse(from, time, RefusalReason.OTHER_BACKEND, 0);
      return null;
    }
    // A shortened lease would end before the client believes it does.
    if (leaseNanos > timing.maxLeaseNanos()) {
      refuse(from, time, RefusalReason.LEASE_TOO_LONG, timing.maxLeaseNanos());
      return null;
    }
    L lock = open(name);
    if (lock == null) {
      refuse(from, time, RefusalReason.TOO_MANY_LOCKS, maxLocks);
    }
    return lock;
  }

  /** The lock, or null if this server does not serve its name or has no room for it. */
  public @Nullable L open(String name) {
    L known = locks.get(name);
    if (known != null || !scope.serves(name) || (locks.size() >= maxLocks && !evictOne())) {
      return known;
    }
    L fresh = maker.make(name, Math.max(floors.of(name), scope.fenceFloor(name)));
    locks.put(name, fresh);
    return fresh;
  }

  /** Forgets a lock that was not used for long; the floors remember enough of it. */
  private boolean evictOne() {
    long wallTime = RankClock.atWall(now().wallMillis());
    Iterator<L> eldestFirst = locks.values().iterator();
    for (int tries = 0; tries < EVICTION_TRIES && eldestFirst.hasNext(); tries++) {
      L lock = eldestFirst.next();
      if (lock.isIdle(now().nanos())
          && floors.note(lock.name(), lock.highestToken(), wallTime, horizon())) {
        eldestFirst.remove();
        return true;
      }
    }
    return false;
  }

  public void refuse(ClientId to, long time, RefusalReason reason, long limit) {
    send(to, refusal.of(time, reason, limit));
  }

  /** The lock, if it is remembered. */
  public @Nullable L find(String name) {
    return locks.get(name);
  }

  /** All that are remembered. */
  public Collection<L> all() {
    return Collections.unmodifiableCollection(locks.values());
  }

  /** Up to this time requests are near the clock of this server. */
  public long horizon() {
    return timing.horizonAt(now().wallMillis());
  }

  /** When a lease ends, on this server's clock, that is granted or extended now. */
  public long endOf(long leaseNanos) {
    return now().nanos() + timing.serverLeaseNanos(leaseNanos);
  }

  /** How far tokens may have gone of locks that are not remembered. */
  public RankFloors floors() {
    return floors;
  }
}
