package io.testudo.mutex.client;

import io.testudo.mutex.Lease;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.OverloadedException;
import io.testudo.quorum.protocol.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this process. Whoever keeps it says when it is lost; the clocks say whether it is
 * held.
 */
public abstract class TimedLease implements Lease {
  /** What has become of a lease. */
  public enum State {
    /** Neither closed nor lost, as far as is known. */
    OPEN,
    /** Its holder gave it back. */
    CLOSED,
    /** It ended before its holder gave it back. */
    LOST
  }

  protected volatile Term term;
  private volatile State state = State.OPEN;

  /** Guarded by this. */
  private final List<Runnable> listeners = new ArrayList<>();

  protected TimedLease(Term term) {
    this.term = term;
  }

  protected abstract Moment now();

  /** Where listeners run. */
  protected abstract Executor callbacks();

  /** Called once, when its holder has closed it before it was lost. */
  protected abstract void giveBack();

  /** Called once, when it was lost before its holder has closed it. */
  protected void wasLost() {}

  public final State state() {
    return state;
  }

  final long remainingNanos() {
    return state == State.OPEN ? Math.max(0, term.remainingNanos(now())) : 0;
  }

  @Override
  public final Duration remaining() {
    return Duration.ofNanos(remainingNanos());
  }

  @Override
  public final boolean isHeld() {
    return remainingNanos() > 0;
  }

  @Override
  public final void onLost(Runnable listener) {
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
      callbacks().execute(listener);
    }
  }

  /** Ends it; null if it has ended before, else those that wait for a loss. */
  private @Nullable List<Runnable> end(State how) {
    synchronized (this) {
      if (state != State.OPEN) {
        return null;
      }
      state = how;
      List<Runnable> waiting = List.copyOf(listeners);
      listeners.clear();
      return waiting;
    }
  }

  /** It has ended, and its holder did not close it. */
  public final void lost() {
    List<Runnable> toTell = end(State.LOST);
    if (toTell != null) {
      wasLost();
      toTell.forEach(callbacks()::execute);
    }
  }

  @Override
  public final void close() {
    if (end(State.CLOSED) != null) {
      giveBack();
    }
  }
}
