package io.testudo.ordering.access;

import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.VersionListener;
import io.testudo.ordering.client.AwaitChange;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.OngoingCall;
import io.testudo.quorum.runtime.CallListener;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A listener on new versions. It looks at the object when servers say that there is a newer one, or
 * its client has heard of one, and now and then in case that what they said was lost. At most one
 * look and one call of the listener are under way.
 */
final class Watch<S> implements Subscription, CallListener<ReadResult> {
  /**
   * A look at an object that changes without end comes no sooner after the last one; doubled for
   * each hint that led to nothing, as liars beside a server that is ahead can bring about.
   */
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int MOST_DOUBLINGS = 7;

  /** After a look that failed. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** After which a version that others have heard of is looked for again. */
  private static final long BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ObjectEntry<S> entry;
  private final ClientMachine machine;
  private final Executor executor;
  private final long pollNanos;
  private final VersionListener<S> listener;

  /** The last version that was seen, and the last one that was heard of; guarded by this. */
  private long lastSeen = -1;

  private long lastHeard = -1;

  /** What the listener is to be told next, and then that all is over. */
  private @Nullable Snapshot<S> next;

  private @Nullable TestudoException end;
  private boolean isLooking;
  private boolean isTelling;
  private boolean closed;

  private long lastLookNanos = System.nanoTime();

  /** How many looks in a row that servers caused have found nothing new. */
  private int fruitless;

  private boolean isHinted;

  /** Waits for a change; null before the first look. */
  private @Nullable OngoingCall awaiting;

  /** Tells scheduled looks apart: only the last one counts. */
  private long round;

  Watch(
      ObjectEntry<S> entry,
      ClientMachine machine,
      Executor executor,
      Duration pollEvery,
      VersionListener<S> listener) {
    this.entry = entry;
    this.machine = machine;
    this.executor = executor;
    this.pollNanos = pollEvery.toNanos();
    this.listener = listener;
  }

  /** Looks at the object, unless that is being done. */
  void look() {
    synchronized (this) {
      if (closed || isLooking || end != null) {
        return;
      }
      isLooking = true;
      round++;
      lastLookNanos = System.nanoTime();
    }
    var unused = machine.call(ReadObject.published(entry.name(), entry.model(), LOOK_NANOS), this);
  }

  /** The client has heard of a version. */
  void heard(long version) {
    boolean isNews;
    synchronized (this) {
      isNews = version > lastSeen;
      lastHeard = Math.max(lastHeard, version);
    }
    if (isNews) {
      look();
    }
  }

  @Override
  public void completed(ReadResult result) {
    Snapshot<S> snapshot;
    try {
      snapshot = entry.snapshot(result);
    } catch (ObjectTypeException e) {
      end(e);
      return;
    }
    boolean isBehind;
    long known;
    synchronized (this) {
      if (snapshot.version() > lastSeen) {
        lastSeen = snapshot.version();
        next = snapshot;
        fruitless = 0;
      } else if (isHinted) {
        fruitless = Math.min(MOST_DOUBLINGS, fruitless + 1);
      }
      isHinted = false;
      // A version of our own may not be published yet: then the next look is soon enough.
      isBehind = lastHeard > lastSeen;
      lastHeard = -1;
      known = lastSeen;
    }
    tell();
    if (isBehind) {
      lookLater(Math.min(BEHIND_NANOS, pollNanos / 4));
    } else {
      lookWhenChanged(known);
    }
  }

  @Override
  public void failed(TestudoException reason) {
    if (reason instanceof ClosedException) {
      end(reason);
    } else if (reason instanceof NotAllowedException) {
      lookLater(pollNanos); // Rights may be given later, and keys are replaced.
    } else {
      lookLater(Math.min(RETRY_NANOS, pollNanos));
    }
  }

  private void lookWhenChanged(long known) {
    long mine;
    boolean isOver;
    synchronized (this) {
      isLooking = false;
      mine = round;
      isOver = closed;
    }
    if (isOver) {
      return;
    }
    OngoingCall call =
        machine.call(
            new AwaitChange(entry.name(), known, pollNanos),
            new CallListener<Boolean>() {
              @Override
              public void completed(Boolean isChanged) {
                machine.later(pauseNanos(isChanged), () -> lookIfStillLast(mine));
              }

              @Override
              public void failed(TestudoException reason) {
                Watch.this.failed(reason);
              }
            });
    OngoingCall before;
    synchronized (this) {
      before = awaiting;
      awaiting = call;
      isOver = closed;
    }
    if (before != null) {
      before.cancel();
    }
    if (isOver) {
      call.cancel();
    }
  }

  /** None if the last look was a while ago. */
  private synchronized long pauseNanos(boolean byServers) {
    isHinted = byServers;
    return Math.max(0, (LEAST_PAUSE_NANOS << fruitless) - (System.nanoTime() - lastLookNanos));
  }

  private void lookLater(long nanos) {
    long mine;
    synchronized (this) {
      isLooking = false;
      mine = round;
    }
    // Not among the callbacks: a listener that blocks must not keep others from looking.
    machine.later(nanos, () -> lookIfStillLast(mine));
  }

  private void lookIfStillLast(long mine) {
    synchronized (this) {
      if (mine != round) {
        return;
      }
    }
    look();
  }

  private void tell() {
    synchronized (this) {
      if (isTelling || closed || (next == null && end == null)) {
        return;
      }
      isTelling = true;
    }
    executor.execute(this::tellNow);
  }

  private void tellNow() {
    Snapshot<S> snapshot;
    TestudoException reason;
    synchronized (this) {
      snapshot = closed ? null : next;
      reason = closed ? null : end;
      next = null;
    }
    try {
      if (snapshot != null) {
        listener.onVersion(snapshot);
      }
      if (reason != null) {
        close();
        listener.onEnd(reason);
      }
    } finally {
      synchronized (this) {
        isTelling = false;
      }
      tell();
    }
  }

  /** No further version will come. */
  void end(TestudoException reason) {
    synchronized (this) {
      if (end != null) {
        return;
      }
      end = reason;
    }
    tell();
  }

  @Override
  public void close() {
    OngoingCall call;
    synchronized (this) {
      closed = true;
      round++;
      call = awaiting;
    }
    if (call != null) {
      call.cancel();
    }
    entry.remove(this);
  }
}
