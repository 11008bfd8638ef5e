package io.testudo.client.keeping;

import io.testudo.client.roster.Standing;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.OverloadedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a member of a roster holds. */
final class RosterLease implements Lease {
  private enum State {
    OPEN,
    CLOSED,
    LOST
  }

  private final RosterRequest request;
  private final String name;
  private final long fence;
  private final Duration hold;
  private volatile Term term;
  private volatile State state = State.OPEN;

  /** Guarded by this. */
  private final List<Runnable> listeners = new ArrayList<>();

  RosterLease(RosterRequest request, String name, long fence, Duration hold, Term term) {
    this.request = request;
    this.name = name;
    this.fence = fence;
    this.hold = hold;
    this.term = term;
  }

  @Override
  public String lockName() {
    return name;
  }

  @Override
  public long fencingToken() {
    return fence;
  }

  @Override
  public boolean hasFencingToken() {
    return true;
  }

  @Override
  public Duration remaining() {
    return state == State.OPEN
        ? Duration.ofNanos(Math.max(0, term.remainingNanos(request.around().now())))
        : Duration.ZERO;
  }

  @Override
  public boolean isHeld() {
    return !remaining().isZero();
  }

  @Override
  public void renew() {
    renew(hold);
  }

  @Override
  public void renew(Duration longer) {
    Blocking.uninterruptibly(renewAsync(longer));
  }

  @Override
  public CompletableFuture<Void> renewAsync(Duration longer) {
    Duration checked = LockOptions.standard().withHold(longer).hold();
    if (!isHeld()) {
      return CompletableFuture.failedFuture(new LeaseLostException(name));
    }
    return request
        .renew(checked)
        .thenApply(
            standing -> {
              if (standing.kind() != Standing.Kind.HELD) {
                throw new LeaseLostException(name);
              }
              return null;
            });
  }

  /** The lease lasts longer. */
  void extend(Term renewed) {
    term = renewed;
  }

  @Override
  public void onLost(Runnable listener) {
    synchronized (this) {
      if (state == State.OPEN) {
        if (listeners.size() >= Lease.MAX_LISTENERS) {
          throw new OverloadedException("listeners of one lease", Lease.MAX_LISTENERS);
        }
        listeners.add(listener);
        return;
      }
    }
    if (state == State.LOST) {
      request.around().callbacks().execute(listener);
    }
  }

  /** Ends it; false if it has ended before. */
  private boolean end(State how) {
    List<Runnable> toTell;
    synchronized (this) {
      if (state != State.OPEN) {
        return false;
      }
      state = how;
      toTell = List.copyOf(listeners);
      listeners.clear();
    }
    if (how == State.LOST) {
      toTell.forEach(request.around().callbacks()::execute);
    }
    return true;
  }

  void lost() {
    boolean unused = end(State.LOST);
  }

  @Override
  public void close() {
    if (end(State.CLOSED)) {
      CompletableFuture<Standing> unused = request.withdraw();
    }
  }

  @Override
  public String toString() {
    return "Lease(%s, token %d, %s)".formatted(name, fence, state);
  }
}
