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
import io.testudo.quorum.protocol.Allowance;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.protocol.Shares;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
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
  /**
   * As many locks are remembered that one principal asked for first, and at most twice as many of
   * all; those that are not in use make room for others.
   */
  public static final int MAX_LOCKS = 100_000;

  /** How many locks are looked at to make room for one. */
  private static final int EVICTION_TRIES = 64;

  /** How many locks are looked at for the lists of one principal, at once and in each second. */
  private static final long LISTING_LOOKS = 1_000_000;

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

  /** Those that were not asked for lately come first. */
  private final Map<String, Place<L>> locks = new LinkedHashMap<>(16, 0.75f, true);

  private final NavigableMap<String, L> byName = new TreeMap<>();

  /** So nobody can take all the room, whatever names it may use. */
  private final Shares shares;

  private final Allowance<String> looks = new Allowance<>(LISTING_LOOKS, LISTING_LOOKS);

  private long refusedForRoom;

  /** A lock, and who asked for it first. */
  private record Place<L>(L lock, String principal) {}

  /**
   * Makes an empty table.
   *
   * @param protocol what configurations call it
   * @param maxLocks as many of one principal have room
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
    this.shares = new Shares(2L * maxLocks);
    onMessage(
        ListLocks.class,
        (from, question) -> {
          if (question.backend().equals(protocol)
              && looks.hasSome(from.principal(), now().nanos())) {
            send(from, LockList.page(question.nonce(), inUse(from, question)));
          }
        });
  }

  private Stream<LockView> inUse(ClientId from, ListLocks question) {
    String first =
        question.after().compareTo(question.prefix()) < 0 ? question.prefix() : question.after();
    long nowNanos = now().nanos();
    return byName.tailMap(first, true).values().stream()
        .takeWhile(lock -> lock.name().startsWith(question.prefix()))
        .peek(lock -> looks.spend(from.principal(), 1, nowNanos))
        .filter(lock -> question.covers(lock.name()) && !lock.isIdle(nowNanos))
        .map(lock -> lock.view(nowNanos));
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
    L lock = open(from, name);
    if (lock == null) {
      refusedForRoom++;
      refuse(from, time, RefusalReason.TOO_MANY_LOCKS, maxLocks);
    }
    return lock;
  }

  /** The lock, or null if this server does not serve its name or has no room for it. */
  public @Nullable L open(ClientId from, String name) {
    L known = find(name);
    if (known != null || !scope.serves(name) || !hasRoomFor(from.principal())) {
      return known;
    }
    L fresh = maker.make(name, Math.max(floors.of(name), scope.fenceFloor(name)));
    locks.put(name, new Place<>(fresh, from.principal()));
    byName.put(name, fresh);
    shares.charge(from.principal(), 1);
    return fresh;
  }

  private boolean hasRoomFor(String principal) {
    return shares.hasRoomFor(principal, 1) || (evictOne() && shares.hasRoomFor(principal, 1));
  }

  /**
   * Forgets a lock that was not used for long; the floors remember enough of it. Those that are in
   * use are looked at last the next time: else a few that stay so would keep all others from making
   * room.
   */
  private boolean evictOne() {
    long wallTime = RankClock.atWall(now().wallMillis());
    List<String> eldest = locks.keySet().stream().limit(EVICTION_TRIES).toList();
    for (String name : eldest) {
      Place<L> place = Objects.requireNonNull(locks.get(name)); // Which makes it the youngest.
      L lock = place.lock();
      if (lock.isIdle(now().nanos())
          && floors.note(name, lock.highestToken(), wallTime, horizon())) {
        locks.remove(name);
        byName.remove(name);
        shares.giveBack(place.principal(), 1);
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
    Place<L> place = locks.get(name);
    return place == null ? null : place.lock();
  }

  /** All that are remembered. */
  public Collection<L> all() {
    return Collections.unmodifiableCollection(byName.values());
  }

  /** What locks take, as of a moment ago; for whoever asks, on any thread. */
  public LockUsage usage() {
    return new LockUsage(locks.size(), refusedForRoom);
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
