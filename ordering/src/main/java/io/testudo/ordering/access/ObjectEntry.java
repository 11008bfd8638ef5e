package io.testudo.ordering.access;

import io.testudo.ordering.ObjectTypeException;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.client.OperationResult;
import io.testudo.ordering.client.ReadObject;
import io.testudo.ordering.client.ReadResult;
import io.testudo.ordering.client.SubmitOperation;
import io.testudo.ordering.typed.HeldState;
import io.testudo.ordering.typed.HeldState.Illegible;
import io.testudo.ordering.typed.HeldState.Legible;
import io.testudo.ordering.typed.Life;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.runtime.CallListener;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a client shares among all handles of one object. Before the first operation it looks at the
 * object once, so that a client with a wrong type notices before it sends anything.
 */
final class ObjectEntry<S> {
  private final String name;
  private final TypedModel<S> model;
  private final ClientMachine machine;
  private final Set<Watch<S>> watches = ConcurrentHashMap.newKeySet();

  /** Whether the object was seen to be of our type, or nothing can be seen. */
  private volatile boolean seen;

  /** Not a monitor: an answer may come at once, and run what the application chained to it. */
  private final ReentrantLock lining = new ReentrantLock();

  /** What waits for that; guarded by {@link #lining}. */
  private final Deque<Submission> waiting = new ArrayDeque<>();

  ObjectEntry(String name, TypedModel<S> model, ClientMachine machine) {
    this.name = name;
    this.model = model;
    this.machine = machine;
  }

  String name() {
    return name;
  }

  TypedModel<S> model() {
    return model;
  }

  /** Has an operation done. The operations of one thread go out in the order of their calls. */
  void submit(
      Bytes operation,
      long timeoutNanos,
      Optional<Access> access,
      Reply<OperationResult, ?> reply) {
    Submission submission =
        new Submission(operation, System.nanoTime(), timeoutNanos, access, reply);
    if (seen || !waitsForALook(submission)) {
      submission.send();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  private boolean waitsForALook(Submission submission) {
    lining.lock();
    try {
      if (seen) {
        return false;
      }
      waiting.add(submission);
      submission.reply.future().whenComplete((result, error) -> forget(submission));
      submission.reply.awaits(
          machine.call(
              ReadObject.published(name, model, submission.timeoutNanos).with(submission.access),
              submission));
      return true;
    } finally {
      lining.unlock();
    }
  }

  /** False if it did not wait. */
  private boolean forget(Submission submission) {
    lining.lock();
    try {
      return waiting.remove(submission);
    } finally {
      lining.unlock();
    }
  }

  /** Lets everything go that waits, in its order. On the loop. */
  private void release() {
    lining.lock();
    try {
      for (Submission next : waiting) {
        next.send();
      }
      waiting.clear();
      seen = true;
    } finally {
      lining.unlock();
    }
  }

  /** An operation that goes out when the object was seen; hears what was seen. */
  private final class Submission implements CallListener<ReadResult> {
    private final Bytes operation;
    private final long beganNanos;
    private final long timeoutNanos;
    private final Optional<Access> access;
    private final Reply<OperationResult, ?> reply;

    Submission(
        Bytes operation,
        long beganNanos,
        long timeoutNanos,
        Optional<Access> access,
        Reply<OperationResult, ?> reply) {
      this.operation = operation;
      this.beganNanos = beganNanos;
      this.timeoutNanos = timeoutNanos;
      this.access = access;
      this.reply = reply;
    }

    @Override
    public void completed(ReadResult result) {
      try {
        Snapshot<S> unused = snapshot(result);
      } catch (ObjectTypeException e) {
        failed(e);
        return;
      }
      release();
    }

    @Override
    public void failed(TestudoException reason) {
      if (reason instanceof NotAllowedException) {
        release(); // Whoever may submit need not be allowed to look.
      } else if (forget(this)) {
        reply.failed(reason);
      }
    }

    void send() {
      if (reply.future().isDone()) {
        return; // Its caller has left before anything was sent.
      }
      long leftNanos = timeoutNanos - (System.nanoTime() - beganNanos);
      reply.awaits(
          machine.call(
              new SubmitOperation(name, model, operation, Math.max(1, leftNanos), access), reply));
    }
  }

  /**
   * What was read.
   *
   * @throws ObjectTypeException if this client cannot read it
   */
  Snapshot<S> snapshot(ReadResult result) {
    HeldState<S> held = isOver(result) ? model.absent() : held(result);
    if (held instanceof Illegible<S> unreadable) {
      throw new ObjectTypeException(
          name, unreadable.why(), unreadable.otherType(), Outcome.DID_NOT_HAPPEN);
    }
    return new Snapshot<>(result.version(), ((Legible<S>) held).state());
  }

  @SuppressWarnings("unchecked") // The state is of the model that was given with the call.
  private HeldState<S> held(ReadResult result) {
    return (HeldState<S>) result.state();
  }

  /** Whether the object had a time to live, and that is over by the clock here. */
  boolean isOver(ReadResult result) {
    return held(result).life().isOver(System.currentTimeMillis());
  }

  /** When it ends, if it is there and has an end. */
  Optional<Instant> end(ReadResult result) {
    Life life = held(result).life();
    return life.isThere() && life.ttlMillis() > 0 && !isOver(result)
        ? Optional.of(Instant.ofEpochMilli(life.endMillis()))
        : Optional.empty();
  }

  /** It was deleted: what comes next may be of another type. */
  synchronized void looksAnew() {
    seen = false;
  }

  /** A version was heard of; whoever watches may want to look. */
  void heard(long version) {
    for (Watch<S> watch : watches) {
      watch.heard(version);
    }
  }

  void add(Watch<S> watch) {
    watches.add(watch);
  }

  void remove(Watch<S> watch) {
    watches.remove(watch);
  }

  boolean isWatched() {
    return !watches.isEmpty();
  }

  void endWatches(TestudoException reason) {
    watches.forEach(watch -> watch.end(reason));
  }
}
