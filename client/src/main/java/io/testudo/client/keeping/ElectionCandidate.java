package io.testudo.client.keeping;

import io.testudo.client.recipes.LeaderElection;
import io.testudo.client.recipes.LeadershipListener;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One who contends for a lock again and again. */
final class ElectionCandidate implements LeaderElection {
  private static final long FIRST_PAUSE_NANOS = 200_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 5_000_000_000L;

  /** After it has resigned it waits so long: others, who may wait for a refusal, come first. */
  private static final long COURTESY_NANOS = 1_000_000_000L;

  /** So many may wait for this process to lead. */
  static final int MAX_WAITING = 4_096;

  private final DistributedLock lock;
  private final Surroundings around;
  private final Runnable whenClosed;

  /** Everything below is touched by its steps only, but for {@link #current}. */
  private final Turnwise turnwise = new Turnwise();

  private final Map<LeadershipListener, Telling> listeners = new LinkedHashMap<>();
  private final List<CompletableFuture<Lease>> waiting = new ArrayList<>();
  private boolean started;
  private boolean closed;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private @Nullable CompletableFuture<Lease> asking;

  /** The term of this process; null if it does not lead, as far as is known. */
  private volatile @Nullable Lease current;

  /** What one listener was told of the present term. */
  private static final class Telling {
    private CompletableFuture<Void> begun = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> returned = CompletableFuture.completedFuture(null);
  }

  ElectionCandidate(DistributedLock lock, Surroundings around, Runnable whenClosed) {
    this.lock = lock;
    this.around = around;
    this.whenClosed = whenClosed;
  }

  @Override
  public String name() {
    return lock.name();
  }

  @Override
  public LeaderElection listen(LeadershipListener listener) {
    turnwise.execute(
        () -> {
          Telling telling = new Telling();
          Lease term = current;
          if (listeners.putIfAbsent(listener, telling) == null && term != null) {
            tellGained(listener, telling, term);
          }
        });
    return this;
  }

  @Override
  public LeaderElection start() {
    turnwise.execute(
        () -> {
          if (!started) {
            started = true;
            contend();
          }
        });
    return this;
  }

  @Override
  public boolean isLeader() {
    return leadership().isPresent();
  }

  @Override
  public Optional<Lease> leadership() {
    return Optional.ofNullable(current).filter(Lease::isHeld);
  }

  @Override
  public CompletableFuture<Lease> whenLeader() {
    CompletableFuture<Lease> leads = new CompletableFuture<>();
    turnwise.execute(
        () -> {
          Lease term = current;
          if (closed) {
            answer(leads, null, new ClosedException(Outcome.DID_NOT_HAPPEN));
          } else if (term != null && term.isHeld()) {
            answer(leads, term, null);
          } else {
            await(leads);
          }
        });
    return leads;
  }

  private void await(CompletableFuture<Lease> leads) {
    if (waiting.size() >= MAX_WAITING) {
      waiting.removeIf(CompletableFuture::isDone);
    }
    if (waiting.size() >= MAX_WAITING) {
      answer(leads, null, new OverloadedException("waits for one leadership", MAX_WAITING));
    } else {
      waiting.add(leads);
    }
  }

  private void answer(
      CompletableFuture<Lease> asked, @Nullable Lease term, @Nullable RuntimeException failure) {
    around
        .callbacks()
        .execute(
            () -> {
              if (failure != null) {
                asked.completeExceptionally(failure);
              } else {
                asked.complete(term);
              }
            });
  }

  @Override
  public Lease awaitLeadership() throws InterruptedException {
    return Blocking.interruptibly(whenLeader());
  }

  @Override
  public Optional<Lease> awaitLeadership(Duration wait) throws InterruptedException {
    return Blocking.inTime(whenLeader(), wait);
  }

  private void contend() {
    if (closed || asking != null || current != null) {
      return;
    }
    CompletableFuture<Lease> asked;
    try {
      asked = lock.acquireAsync();
    } catch (ClosedException e) {
      asked = CompletableFuture.failedFuture(e);
    }
    asking = asked;
    var unused =
        asked.whenComplete((lease, error) -> turnwise.execute(() -> answered(lease, error)));
  }

  private void answered(@Nullable Lease lease, @Nullable Throwable error) {
    asking = null;
    if (lease != null && closed) {
      lease.close();
    } else if (lease != null && !lease.hasFencingToken()) {
      lease.close();
      end(
          new UnsupportedOperationException(
              "The backend of '%s' has no fencing tokens, so leaders have no terms; use another."
                  .formatted(name())));
    } else if (lease != null) {
      lead(lease);
    } else if (!closed) {
      failed(RosterKeeper.reasonOf(error));
    }
  }

  private void failed(@Nullable TestudoException reason) {
    if (reason == null || reason instanceof ClosedException) {
      end(new ClosedException(Outcome.DID_NOT_HAPPEN));
      return;
    }
    for (LeadershipListener listener : listeners.keySet()) {
      around.callbacks().execute(() -> listener.troubled(reason));
    }
    contendAfter(pauseNanos);
    pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
  }

  private void contendAfter(long nanos) {
    var unused = around.clock().later(nanos, () -> turnwise.execute(this::contend));
  }

  private void lead(Lease lease) {
    current = lease;
    pauseNanos = FIRST_PAUSE_NANOS;
    listeners.forEach((listener, telling) -> tellGained(listener, telling, lease));
    waiting.forEach(asked -> answer(asked, lease, null));
    waiting.clear();
    lease.onLost(
        () ->
            turnwise.execute(
                () -> {
                  if (current == lease) {
                    stepDown(0);
                  }
                }));
  }

  private void tellGained(LeadershipListener listener, Telling telling, Lease term) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    telling.begun = begun;
    telling.returned =
        told(
            () -> {
              begun.complete(null);
              listener.gained(term);
            });
  }

  /** Not a future of its own: that would keep what a listener throws from its thread. */
  private CompletableFuture<Void> told(Runnable call) {
    CompletableFuture<Void> returned = new CompletableFuture<>();
    around
        .callbacks()
        .execute(
            () -> {
              try {
                call.run();
              } finally {
                returned.complete(null);
              }
            });
    return returned;
  }

  /** Tells listeners of the end at once, and when they have returned contends again. */
  private void stepDown(long pause) {
    Lease term = current;
    if (term == null) {
      return;
    }
    current = null;
    List<CompletableFuture<Void>> returning = new ArrayList<>();
    listeners.forEach(
        (listener, telling) -> {
          returning.add(telling.returned);
          returning.add(telling.begun.thenCompose(begun -> told(() -> listener.lost(term))));
        });
    // Whoever resigns hands over when its work has stopped, but not never.
    var unused = around.clock().later(lock.options().hold().toNanos(), term::close);
    var unusedToo =
        CompletableFuture.allOf(returning.toArray(CompletableFuture[]::new))
            .whenComplete(
                (done, error) -> {
                  term.close();
                  contendAfter(Math.max(1, pause));
                });
  }

  @Override
  public void resign() {
    turnwise.execute(() -> stepDown(COURTESY_NANOS));
  }

  @Override
  public void close() {
    end(new ClosedException(Outcome.DID_NOT_HAPPEN));
  }

  private void end(RuntimeException why) {
    turnwise.execute(
        () -> {
          if (closed) {
            return;
          }
          closed = true;
          CompletableFuture<Lease> asked = asking;
          if (asked != null) {
            boolean unused = asked.cancel(false);
          }
          stepDown(0);
          waiting.forEach(waiter -> answer(waiter, null, why));
          waiting.clear();
          whenClosed.run();
        });
  }

  @Override
  public String toString() {
    return "LeaderElection(" + name() + ")";
  }
}
