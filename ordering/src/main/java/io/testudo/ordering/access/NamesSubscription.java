package io.testudo.ordering.access;

import com.google.common.collect.ImmutableList;
import io.testudo.ordering.ObjectChange;
import io.testudo.ordering.ObjectsListener;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.client.AwaitNames;
import io.testudo.ordering.client.EndNames;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.runtime.CallListener;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A listener on the objects under a prefix. One call to it is under way at a time. */
final class NamesSubscription implements Subscription, CallListener<ImmutableList<ObjectChange>> {
  /** A call to the machine waits for so long; it says nothing to anybody that it ends. */
  private static final long WAIT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final ClientMachine machine;
  private final Executor executor;
  private final String prefix;
  private final long number;
  private final long lookNanos;
  private final ObjectsListener listener;

  private final ReentrantLock turn = new ReentrantLock();

  /** Guarded by {@link #turn}: no call may follow the one that ends it. */
  private boolean closed;

  NamesSubscription(
      ClientMachine machine,
      Executor executor,
      String prefix,
      long number,
      Duration lookEvery,
      ObjectsListener listener) {
    this.machine = machine;
    this.executor = executor;
    this.prefix = prefix;
    this.number = number;
    this.lookNanos = lookEvery.toNanos();
    this.listener = listener;
  }

  /** Waits for what comes next. */
  void await() {
    turn.lock();
    try {
      if (!closed) {
        var unused = machine.call(new AwaitNames(number, prefix, lookNanos, WAIT_NANOS), this);
      }
    } finally {
      turn.unlock();
    }
  }

  private boolean isClosed() {
    turn.lock();
    try {
      return closed;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void completed(ImmutableList<ObjectChange> changes) {
    executor.execute(() -> tell(changes));
  }

  private void tell(ImmutableList<ObjectChange> changes) {
    try {
      for (ObjectChange change : changes) {
        if (!isClosed()) {
          listener.onChange(change);
        }
      }
    } finally {
      await();
    }
  }

  @Override
  public void failed(TestudoException reason) {
    turn.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      turn.unlock();
    }
    executor.execute(() -> listener.onEnd(reason));
  }

  @Override
  public void close() {
    turn.lock();
    try {
      closed = true;
      var unused = machine.call(new EndNames(number), Ended.INSTANCE);
    } finally {
      turn.unlock();
    }
  }

  private enum Ended implements CallListener<Boolean> {
    INSTANCE;

    @Override
    public void completed(Boolean wasKnown) {}

    @Override
    public void failed(TestudoException reason) {} // It is closed, then.
  }
}
