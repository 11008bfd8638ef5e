package io.testudo.client.keeping;

import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.roster.Beat;
import io.testudo.client.roster.Entrance;
import io.testudo.client.roster.Member;
import io.testudo.client.roster.Roster;
import io.testudo.client.roster.Standing;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One who wants to be on a roster, from its wish until it has left. All of it runs in steps of the
 * keeper. Operations of one client on one object happen in the order of their calls: so whoever
 * leaves is gone afterwards, whatever has become of its earlier operations.
 */
final class RosterRequest {
  /** A member beats so often within its lease. */
  private static final int BEATS_PER_LEASE = 3;

  /** What cannot be done now is tried again after so long. */
  private static final long PAUSE_NANOS = 200_000_000L;

  private enum Phase {
    NEW,
    /** Asked to come in; nothing is known yet. */
    ENTERING,
    WAITING,
    HELD,
    ENDED
  }

  private final RosterKeeper keeper;
  private final Surroundings around;
  private final int weight;
  private final LockOptions options;
  private final CompletableFuture<Lease> future = new CompletableFuture<>();
  private final Moment begun;

  /** When beats were sent that may be in the state, and what they are worth there. */
  private final TreeMap<Long, Term> sent = new TreeMap<>();

  private Phase phase = Phase.NEW;

  /** Changes when its place was lost and it asks again. */
  private long id;

  private long beats;
  private long leaseMillis;
  private boolean isBeating;

  /** What is believed; null as long as no beat is known to have arrived. */
  private @Nullable Term term;

  private @Nullable RosterLease lease;
  private Moment heldSince;
  private Pending timeUp = () -> {};

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  RosterRequest(RosterKeeper keeper, int weight, LockOptions options) {
    this.keeper = keeper;
    this.around = keeper.around();
    this.weight = weight;
    this.options = options;
    this.leaseMillis = Math.max(1, options.hold().toMillis());
    this.begun = around.now();
    this.heldSince = begun;
    future.whenComplete(
        (given, error) -> {
          if (error != null) {
            var unused = withdraw(); // By its caller, or it has ended already.
          }
        });
  }

  CompletableFuture<Lease> future() {
    return future;
  }

  Surroundings around() {
    return around;
  }

  long id() {
    return id;
  }

  boolean isWaiting() {
    return phase == Phase.ENTERING || phase == Phase.WAITING;
  }

  private boolean isOnce() {
    return options.maxWait().filter(Duration::isZero).isPresent();
  }

  void start() {
    if (phase != Phase.NEW) {
      return; // Cancelled before.
    }
    options
        .maxWait()
        .filter(wait -> !wait.isZero())
        .ifPresent(wait -> timeUp = keeper.stepLater(wait.toNanos(), this::onTimeUp));
    enter();
  }

  private void onTimeUp() {
    if (isWaiting() || lease == null) {
      refuse(new NotAcquiredException(keeper.object().name()));
    }
  }

  /** Ends with an exception, and holds nothing. */
  void refuse(RuntimeException why) {
    CompletableFuture<Standing> unused = leave();
    around.callbacks().execute(() -> future.completeExceptionally(why));
  }

  private void enter() {
    phase = Phase.ENTERING;
    id = around.ids().getAsLong();
    beats = Entrance.FIRST_BEAT;
    sent.clear();
    term = null;
    sent.put(beats, around.rule().believed(leaseMillis, around.now()));
    long asked = id;
    var unused =
        keeper
            .object()
            .submit(
                keeper.type().enter(),
                new Entrance(id, around.owner(), weight, leaseMillis, keeper.size(), !isOnce()))
            .whenComplete((standing, error) -> keeper.step(() -> entered(asked, standing, error)));
    beatLater();
  }

  private void entered(long asked, @Nullable Standing standing, @Nullable Throwable error) {
    if (asked != id || phase == Phase.ENDED) {
      return;
    }
    if (error == null && standing != null) {
      confirm(Entrance.FIRST_BEAT);
      stands(standing);
      return;
    }
    TestudoException reason = RosterKeeper.reasonOf(error);
    if (reason == null) {
      refuse(new IllegalStateException(error));
    } else if (!reason.isWorthRetrying() || isOnce()) {
      refuse(reason);
    } else if (reason.outcome() == Outcome.DID_NOT_HAPPEN) {
      Pending unused = keeper.stepLater(PAUSE_NANOS, () -> enterAgain(asked));
    } else {
      beat(); // It may be on the roster or not: what comes after it tells.
    }
  }

  private void enterAgain(long asked) {
    if (asked == id && isWaiting()) {
      enter();
    }
  }

  private void stands(Standing standing) {
    switch (standing.kind()) {
      case HELD -> hold(standing.number());
      case WAITING -> {
        if (phase == Phase.ENTERING) {
          phase = Phase.WAITING;
          keeper.watch();
        }
      }
      case BUSY -> {
        refuse(new NotAcquiredException(keeper.object().name()));
        keeper.watchForAWhile(options.hold());
      }
      case FULL -> {
        refuse(
            new OverloadedException(
                "waiting for '" + keeper.object().name() + "'", Roster.MAX_WAITERS));
        keeper.watchForAWhile(options.hold());
      }
      case OTHER_SIZE ->
          refuse(
              new IllegalStateException(
                  "'%s' is of %d, not of %d; open it with its own size."
                      .formatted(keeper.object().name(), standing.number(), keeper.size())));
      case GONE -> gone();
    }
  }

  private void gone() {
    if (lease != null) {
      lose();
    } else {
      enter(); // Evicted, since beats were late: at the end of the line.
    }
  }

  /** The beats up to this one are in the state. */
  private void confirm(long beat) {
    Map.Entry<Long, Term> known = sent.floorEntry(beat);
    if (known != null) {
      term = known.getValue();
      sent.headMap(known.getKey(), false).clear();
      RosterLease held = lease;
      if (held != null) {
        held.extend(known.getValue());
      }
    }
  }

  /** Sees a state, which may be older than what is known. */
  void seen(Roster roster) {
    if (phase != Phase.WAITING && phase != Phase.ENTERING) {
      return;
    }
    Member me = roster.find(id).orElse(null);
    if (me != null) {
      confirm(me.beats());
      if (me.fence() != 0) {
        hold(me.fence());
      } else if (phase == Phase.ENTERING) {
        phase = Phase.WAITING;
      }
    }
  }

  private void hold(long fence) {
    Term believed = term;
    phase = Phase.HELD;
    if (lease != null) {
      return;
    }
    if (believed == null || believed.remainingNanos(around.now()) < leaseNanos() / 4) {
      beat(); // It is nearly over: whoever is given it should have some of it.
      return;
    }
    RosterLease held =
        new RosterLease(this, keeper.object().name(), fence, options.hold(), believed);
    lease = held;
    heldSince = around.now();
    timeUp.cancel();
    loseInTime();
    keeper.isIn();
    around
        .callbacks()
        .execute(
            () -> {
              if (!future.complete(held)) {
                held.close();
              }
            });
  }

  private long leaseNanos() {
    return Duration.ofMillis(leaseMillis).toNanos();
  }

  private void beatLater() {
    long asked = id;
    Pending unused =
        keeper.stepLater(
            leaseNanos() / BEATS_PER_LEASE,
            () -> {
              if (asked == id && phase != Phase.ENDED) {
                beat();
                beatLater();
              }
            });
  }

  private boolean isToBeat() {
    return lease == null || isRenewedByItself();
  }

  private boolean isRenewedByItself() {
    Duration limit = options.autoRenewal();
    return limit.equals(LockOptions.WITHOUT_END)
        || new Term(heldSince, Long.MAX_VALUE).elapsedNanos(around.now()) < limit.toNanos();
  }

  private void beat() {
    if (!isBeating && isToBeat() && phase != Phase.ENDED) {
      isBeating = true;
      var unused = sendBeat().whenComplete((standing, error) -> keeper.step(() -> wasSent(error)));
    }
  }

  private void wasSent(@Nullable Throwable error) {
    isBeating = false;
    TestudoException reason = RosterKeeper.reasonOf(error);
    if (reason != null && !reason.isWorthRetrying() && lease == null && phase != Phase.ENDED) {
      refuse(reason); // It would wait for ever, and be evicted.
    }
  }

  /** Renews; for no shorter a time than before. */
  CompletableFuture<Standing> renew(Duration hold) {
    CompletableFuture<Standing> answer = new CompletableFuture<>();
    keeper.step(
        () -> {
          leaseMillis = Math.max(leaseMillis, hold.toMillis());
          if (phase == Phase.ENDED) {
            answer.complete(Standing.GONE);
            return;
          }
          var unused =
              sendBeat()
                  .whenComplete(
                      (standing, error) -> {
                        if (error != null) {
                          answer.completeExceptionally(error);
                        } else {
                          answer.complete(standing);
                        }
                      });
        });
    return answer;
  }

  private CompletableFuture<Standing> sendBeat() {
    long asked = id;
    long mine = ++beats;
    sent.put(mine, around.rule().believed(leaseMillis, around.now()));
    return keeper
        .object()
        .withTimeout(options.hold())
        .submit(keeper.type().renew(), new Beat(id, mine, leaseMillis))
        .thenApply(
            standing -> {
              keeper.step(() -> beaten(asked, mine, standing));
              return standing;
            });
  }

  private void beaten(long asked, long beat, Standing standing) {
    if (asked != id || phase == Phase.ENDED) {
      return;
    }
    if (standing.kind() != Standing.Kind.GONE) {
      confirm(beat);
    }
    stands(standing);
  }

  private void loseInTime() {
    Term believed = term;
    if (phase != Phase.HELD || believed == null) {
      return;
    }
    long leftNanos = believed.remainingNanos(around.now());
    if (leftNanos <= 0) {
      lose();
    } else {
      Pending unused = keeper.stepLater(leftNanos, this::loseInTime);
    }
  }

  private void lose() {
    RosterLease held = lease;
    CompletableFuture<Standing> unused = leave();
    if (held != null) {
      held.lost();
    }
  }

  /** The client is closed. */
  void cutOff(RuntimeException why) {
    RosterLease held = lease;
    refuse(why);
    if (held != null) {
      held.lost();
    }
  }

  /** Leaves the roster, and tells how it stood until then. */
  CompletableFuture<Standing> withdraw() {
    CompletableFuture<Standing> left = new CompletableFuture<>();
    keeper.step(
        () -> {
          var unused =
              leave()
                  .whenComplete(
                      (standing, error) -> {
                        if (error != null) {
                          left.completeExceptionally(error);
                        } else {
                          left.complete(standing);
                        }
                      });
        });
    return left;
  }

  private CompletableFuture<Standing> leave() {
    CompletableFuture<Standing> left = new CompletableFuture<>();
    Phase before = phase;
    phase = Phase.ENDED;
    timeUp.cancel();
    if (before != Phase.ENDED) {
      keeper.ended(this, left);
    }
    if (before == Phase.NEW || before == Phase.ENDED) {
      left.complete(Standing.GONE);
    } else {
      sendLeave(left, around.now());
    }
    return left;
  }

  /** Tried again as long as others could not have evicted it. */
  private void sendLeave(CompletableFuture<Standing> left, Moment since) {
    var unused =
        keeper
            .object()
            .submit(keeper.type().leave(), id)
            .whenComplete(
                (standing, error) -> {
                  TestudoException reason = RosterKeeper.reasonOf(error);
                  boolean isInTime =
                      around.now().nanos() - since.nanos()
                          < around.rule().patienceNanos(leaseMillis);
                  if (error == null) {
                    left.complete(standing);
                  } else if (reason != null
                      && reason.outcome() == Outcome.DID_NOT_HAPPEN
                      && reason.isWorthRetrying()
                      && isInTime) {
                    Pending unusedPending =
                        keeper.stepLater(PAUSE_NANOS, () -> sendLeave(left, since));
                  } else {
                    left.completeExceptionally(error);
                  }
                });
  }
}
