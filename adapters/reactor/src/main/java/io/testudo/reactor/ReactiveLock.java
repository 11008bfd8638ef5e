package io.testudo.reactor;

import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A lock for code that does not block. Each subscription asks anew; one that is cancelled withdraws
 * its request.
 */
public final class ReactiveLock {
  private final DistributedLock lock;

  private ReactiveLock(DistributedLock lock) {
    this.lock = lock;
  }

  /** The same lock, as publishers. */
  public static ReactiveLock of(DistributedLock lock) {
    return new ReactiveLock(lock);
  }

  /** The lease, which the subscriber closes; it fails as {@link DistributedLock#acquire()} does. */
  public Mono<Lease> acquire() {
    return Mono.fromFuture(lock::acquireAsync);
  }

  /**
   * Does something under the lock, and gives it back when that completes, fails or is cancelled. If
   * the lease is lost meanwhile, the work is cancelled and a {@link LeaseLostException} follows.
   */
  public <T> Mono<T> withLock(Function<? super Lease, ? extends Mono<? extends T>> work) {
    return Mono.usingWhen(
        acquire(),
        lease -> {
          Loss loss = new Loss(lease);
          return work.apply(lease)
              .<T>map(result -> result)
              .takeUntilOther(loss.told())
              .switchIfEmpty(Mono.defer(loss::failed));
        },
        ReactiveLock::release);
  }

  /** As {@link #withLock}, for work of many results. */
  public <T> Flux<T> withLockMany(Function<? super Lease, ? extends Publisher<? extends T>> work) {
    return Flux.usingWhen(
        acquire(),
        lease -> {
          Loss loss = new Loss(lease);
          return Flux.<T>from(work.apply(lease))
              .takeUntilOther(loss.told())
              .concatWith(Mono.defer(loss::failed));
        },
        ReactiveLock::release);
  }

  /** Ends work when a lease is lost: what is told cancels it, and only then it has failed. */
  private static final class Loss {
    private final Lease lease;
    private volatile boolean lost;

    Loss(Lease lease) {
      this.lease = lease;
    }

    Mono<Void> told() {
      return Mono.create(
          sink ->
              lease.onLost(
                  () -> {
                    lost = true;
                    sink.success();
                  }));
    }

    <T> Mono<T> failed() {
      return lost ? Mono.error(new LeaseLostException(lease.lockName())) : Mono.empty();
    }
  }

  private static Mono<Void> release(Lease lease) {
    return Mono.fromRunnable(lease::close);
  }
}
