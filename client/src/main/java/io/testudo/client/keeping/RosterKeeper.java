package io.testudo.client.keeping;

import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.roster.Beat;
import io.testudo.client.roster.Member;
import io.testudo.client.roster.MemberSightings;
import io.testudo.client.roster.Roster;
import io.testudo.client.roster.RosterType;
import io.testudo.client.roster.Standing;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The members of one roster that this client has, and its part in evicting those of others that
 * were not heard of. It watches the object only while somebody waits, and for a while after
 * somebody could not come in.
 */
final class RosterKeeper {
  /** What a look at a roster may be late by, beyond the patience with its members. */
  private static final long SLACK_NANOS = 1_000_000_000L;

  private final ReplicatedObject<Roster> object;
  private final RosterType type;
  private final int size;
  private final Surroundings around;

  /** Everything below is touched by its steps only. */
  private final Turnwise turnwise = new Turnwise();

  private final Set<RosterRequest> requests = new LinkedHashSet<>();

  /** Those that have ended, and are not known to have left. */
  private final Map<RosterRequest, CompletableFuture<Standing>> leaving = new LinkedHashMap<>();

  private final MemberSightings sightings;
  private @Nullable Subscription watching;
  private long watchUntilNanos;
  private boolean isFirstLook;
  private Pending nextLook = () -> {};
  private boolean closed;

  RosterKeeper(
      ReplicatedObject<Roster> object, RosterType type, int size, Surroundings surroundings) {
    this.object = object;
    this.type = type;
    this.size = size;
    this.around = surroundings;
    this.sightings = new MemberSightings(surroundings.rule());
    this.watchUntilNanos = surroundings.now().nanos();
  }

  ReplicatedObject<Roster> object() {
    return object;
  }

  RosterType type() {
    return type;
  }

  int size() {
    return size;
  }

  Surroundings around() {
    return around;
  }

  /** Runs a step of this keeper; never at the same time as another. */
  void step(Runnable what) {
    turnwise.execute(what);
  }

  /** Runs a step after a time. */
  Pending stepLater(long nanos, Runnable what) {
    return around.clock().later(Math.max(1, nanos), () -> step(what));
  }

  /** Asks to come in. */
  CompletableFuture<Lease> enter(int weight, LockOptions options) {
    return begin(weight, options).future();
  }

  RosterRequest begin(int weight, LockOptions options) {
    RosterRequest request = new RosterRequest(this, weight, options);
    step(
        () -> {
          if (closed) {
            request.refuse(new ClosedException(Outcome.DID_NOT_HAPPEN));
          } else {
            requests.add(request);
            request.start();
          }
        });
    return request;
  }

  /**
   * A request has ended, with whatever it had.
   *
   * @param left done when that was given back, or could not be
   */
  void ended(RosterRequest request, CompletableFuture<Standing> left) {
    requests.remove(request);
    leaving.put(request, left);
    var unused = left.whenComplete((standing, error) -> step(() -> leaving.remove(request)));
    endWatchIfIdle();
  }

  /** A request waits no longer: it holds. */
  void isIn() {
    endWatchIfIdle();
  }

  /** Somebody waits: changes have to be seen. */
  void watch() {
    if (watching == null && !closed) {
      sightings.clear();
      isFirstLook = true;
      watching = object.onVersion(snapshot -> step(() -> seen(snapshot)));
    }
  }

  /**
   * Somebody could not come in. Whoever keeps it out may be dead, and if nobody waits nobody would
   * notice: so look on for as long as it takes to tell.
   */
  void watchForAWhile(Duration hold) {
    watchFor(hold.toMillis());
    watch();
  }

  private void watchFor(long leaseMillis) {
    long nanos = 2 * (around.rule().patienceNanos(Math.max(1, leaseMillis)) + SLACK_NANOS);
    long until = around.now().nanos() + nanos;
    if (until - watchUntilNanos > 0) {
      watchUntilNanos = until;
    }
    Pending unused = stepLater(nanos, this::endWatchIfIdle);
  }

  private boolean isToLookOn() {
    return watchUntilNanos - around.now().nanos() > 0;
  }

  private void endWatchIfIdle() {
    if (watching != null
        && requests.stream().noneMatch(RosterRequest::isWaiting)
        && !isToLookOn()) {
      watching.close();
      watching = null;
    }
  }

  private void seen(Snapshot<Roster> snapshot) {
    if (watching == null) {
      return;
    }
    Roster roster = snapshot.state();
    if (isFirstLook && isToLookOn()) { // Holds of others may be longer than one's own.
      type.evictable(roster).mapToLong(Member::leaseMillis).max().ifPresent(this::watchFor);
    }
    isFirstLook = false;
    for (RosterRequest request : List.copyOf(requests)) {
      request.seen(roster);
    }
    sightings.see(type.evictable(roster), around.now().nanos());
    look();
  }

  /** Evicts who was not heard of for too long. */
  private void look() {
    long nowNanos = around.now().nanos();
    for (Beat overdue : new ArrayList<>(sightings.overdue(nowNanos))) {
      sightings.tried(overdue, nowNanos);
      if (requests.stream().noneMatch(request -> request.id() == overdue.id())) {
        var unused = object.submit(type.evict(), overdue);
      }
    }
    nextLook.cancel(); // Whoever has come since may have a shorter lease.
    sightings
        .untilNextNanos(nowNanos)
        .ifPresent(nanos -> nextLook = stepLater(nanos, this::lookAgain));
  }

  private void lookAgain() {
    if (watching != null) {
      look();
    }
  }

  /** Gives everything back. The future tells when that was done, or could not be. */
  CompletableFuture<Void> close() {
    CompletableFuture<Void> all = new CompletableFuture<>();
    step(
        () -> {
          closed = true;
          for (RosterRequest request : List.copyOf(requests)) {
            request.cutOff(new ClosedException(Outcome.DID_NOT_HAPPEN));
          }
          watchUntilNanos = around.now().nanos();
          endWatchIfIdle();
          var unused =
              CompletableFuture.allOf(leaving.values().toArray(CompletableFuture[]::new))
                  .whenComplete((done, error) -> all.complete(null));
        });
    return all;
  }

  static @Nullable TestudoException reasonOf(@Nullable Throwable error) {
    Throwable cause = error;
    while (cause != null && !(cause instanceof TestudoException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof TestudoException reason ? reason : null;
  }
}
