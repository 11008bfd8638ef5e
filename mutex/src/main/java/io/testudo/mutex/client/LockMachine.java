package io.testudo.mutex.client;

import io.testudo.mutex.LockListener;
import io.testudo.mutex.LockObserver;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.AskedAnew;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.ClosedException;
import io.testudo.quorum.NotAllowedException;
import io.testudo.quorum.Outcome;
import io.testudo.quorum.Right;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.Callbacks;
import io.testudo.quorum.netty.ClientMachine;
import io.testudo.quorum.netty.OngoingCall;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.Event;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.runtime.CallListener;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client machine of a lock protocol, with the leases and requests of this process. It serves
 * all locks and all contenders.
 */
final class LockMachine {
  private final Supplier<Moment> clock;
  private final Callbacks callbacks;
  private final Consumer<Event> events;
  private final LockListener listener;
  private final Map<Name, HeldLease> leases = new ConcurrentHashMap<>();
  private final Set<Request> requests = ConcurrentHashMap.newKeySet();
  private final LockBackend backend;
  private final ClientMachine machine;
  private volatile boolean closed;

  /** What the protocol knows a lease by. */
  private record Name(String lock, long token) {}

  /**
   * Starts a machine.
   *
   * @param asked whom its requests go to
   * @param events hears all that it tells, on the loop
   * @param listener hears what becomes of requests
   */
  LockMachine(
      LockBackend backend,
      LockOptions.Servers asked,
      Callbacks callbacks,
      Consumer<Event> events,
      LockListener listener) {
    this.clock = backend::now;
    this.callbacks = callbacks;
    this.events = events;
    this.listener = listener;
    this.backend = backend;
    this.machine = backend.start(asked, this::told, this::stopped);
    backend.onNoRight(this::refused);
  }

  private void refused(String lock) {
    requests.stream().filter(request -> request.lock.equals(lock)).forEach(Request::endAsRefused);
  }

  /** Why its leases have no fencing token, if they have none. */
  Optional<String> whyUnfenced() {
    return backend.whyUnfenced();
  }

  Moment now() {
    return clock.get();
  }

  Callbacks callbacks() {
    return callbacks;
  }

  /** Asks for a lock. The listener hears on the loop, once. */
  Asking.Withdrawal acquire(Acquire acquire, CallListener<HeldLease> whenDone) {
    Request request =
        new Request(
            acquire.lock(), acquire.holdNanos(), whenDone, listener.requested(acquire.lock()));
    requests.add(request);
    request.ongoing = machine.call(acquire, request);
    if (closed) {
      request.endAsClosed(); // Whoever closed the machine may have looked before it was added.
    }
    return request;
  }

  <R> Asking.Withdrawal call(Call<R> call, CallListener<R> whenDone) {
    return machine.call(call, whenDone)::cancel;
  }

  void release(HeldLease lease) {
    leases.remove(new Name(lease.lockName(), lease.number()));
    OngoingCall unused = machine.call(releaseOf(lease), new Unheard());
  }

  private static ReleaseCall releaseOf(HeldLease lease) {
    return new ReleaseCall(lease.lockName(), lease.number());
  }

  private void told(Event event) {
    if (event instanceof LeaseLost lost) {
      HeldLease lease = leases.remove(new Name(lost.lock(), lost.token()));
      if (lease != null) {
        lease.lost();
      }
    } else if (event instanceof LeaseRenewed renewed) {
      HeldLease lease = leases.get(new Name(renewed.lock(), renewed.token()));
      if (lease != null) {
        lease.extend(renewed.term());
      }
    } else if (event instanceof AskedAnew retry) {
      listener.retried(retry.lock());
    }
    events.accept(event);
  }

  /** Nobody will tell of a loss any more, so this is one. */
  private void stopped() {
    leases.values().forEach(HeldLease::lost);
    leases.clear();
  }

  /**
   * Withdraws all requests, gives all leases back and ends the machine. Holders are told that they
   * have lost their leases. When it returns, what goes to the servers is on its way.
   */
  void close() {
    closed = true;
    requests.forEach(Request::endAsClosed);
    for (HeldLease lease : leases.values()) {
      lease.lost();
      Asking<Boolean> release = new LastRelease(lease);
      try {
        Boolean unused = Waiter.uninterruptibly(release, Waiter.FOREVER);
      } catch (ClosedException e) {
        break; // The connections have ended before: the leases end with their terms.
      }
    }
    backend.stop(machine);
  }

  /** The answer comes when the messages are ready to go, and closing must not overtake them. */
  private final class LastRelease implements Asking<Boolean> {
    private final HeldLease lease;

    LastRelease(HeldLease lease) {
      this.lease = lease;
    }

    @Override
    public Withdrawal start(CallListener<Boolean> whenDone) {
      return call(releaseOf(lease), whenDone);
    }

    @Override
    public void giveBack(Boolean granted) {}

    @Override
    public TestudoException notInTime() {
      return new ClosedException(Outcome.DID_NOT_HAPPEN);
    }
  }

  /** A lock that was asked for. Its listener hears one answer, whoever gives it. */
  private final class Request implements CallListener<Held>, Asking.Withdrawal {
    private final String lock;
    private final long holdNanos;
    private final CallListener<HeldLease> whenDone;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final LockObserver observer;

    /** Whether the observer knows what became of it. */
    private final AtomicBoolean told = new AtomicBoolean();

    private volatile @Nullable OngoingCall ongoing;

    Request(String lock, long holdNanos, CallListener<HeldLease> whenDone, LockObserver observer) {
      this.lock = lock;
      this.holdNanos = holdNanos;
      this.whenDone = whenDone;
      this.observer = observer;
    }

    @Override
    public void completed(Held held) {
      requests.remove(this);
      boolean isFirst = answered.compareAndSet(false, true);
      boolean isWanted = isFirst && !closed && told.compareAndSet(false, true);
      HeldLease lease =
          new HeldLease(LockMachine.this, held, holdNanos, isWanted ? observer : LockObserver.NONE);
      // On the loop, so before the protocol can tell that it is lost.
      leases.put(new Name(held.lock(), held.token()), lease);
      if (isWanted) {
        observer.acquired(lease);
      }
      if (isFirst && !closed) {
        whenDone.completed(lease);
        return;
      }
      // Whoever closes the machine may have looked before the lease was there.
      lease.close();
      if (isFirst) {
        ClosedException reason = new ClosedException(Outcome.DID_NOT_HAPPEN);
        if (told.compareAndSet(false, true)) {
          observer.notAcquired(reason);
        }
        whenDone.failed(reason);
      }
    }

    @Override
    public void failed(TestudoException reason) {
      requests.remove(this);
      if (answered.compareAndSet(false, true)) {
        if (told.compareAndSet(false, true)) {
          observer.notAcquired(reason);
        }
        whenDone.failed(reason);
      }
    }

    @Override
    public void withdraw() {
      if (told.compareAndSet(false, true)) {
        observer.withdrawn();
      }
      cancel();
    }

    private void cancel() {
      requests.remove(this);
      OngoingCall call = ongoing;
      if (call != null) {
        call.cancel();
      }
    }

    void endAsRefused() {
      cancel();
      failed(new NotAllowedException(lock, Right.LOCK, Outcome.DID_NOT_HAPPEN));
    }

    void endAsClosed() {
      cancel();
      failed(new ClosedException(Outcome.DID_NOT_HAPPEN));
    }
  }

  private static final class Unheard implements CallListener<Boolean> {
    @Override
    public void completed(Boolean result) {}

    @Override
    public void failed(TestudoException reason) {}
  }
}
