package io.testudo.ordering.access;

import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.VersionListener;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.runtime.CallListener;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A listener on new versions. It looks at the object now and then, and when its client has heard of
 * a newer version. At most one look and one call of the listener are under way.
 */
final class Watch<S> implements Subscription, CallListener<ReadResult> {
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
    }
    var unused = machine.call(ReadObject.published(entry.name(), entry.model(), lookNanos()), this);
  }

  private long lookNanos() {
    return Math.max(TimeUnit.SECONDS.toNanos(1), 2 * pollNanos);
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
    synchronized (this) {
      if (snapshot.version() > lastSeen) {
        lastSeen = snapshot.version();
        next = snapshot;
      }
      // A version of our own may not be published yet: then the next look is soon enough.
      isBehind = lastHeard > lastSeen;
      lastHeard = -1;
    }
    tell();
    lookLater(isBehind ? pollNanos / 4 : pollNanos);
  }

  @Override
  public void failed(TestudoException reason) {
    if (reason instanceof ClosedException) {
      end(reason);
    } else {
      lookLater(pollNanos);
    }
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
    synchronized (this) {
      closed = true;
      round++;
    }
    entry.remove(this);
  }
}
