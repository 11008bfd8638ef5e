package io.testudo.mutex.client;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLease;
import io.testudo.mutex.MultiLock;
import io.testudo.mutex.NotAcquiredException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Several locks of a {@link LockClient}. */
final class ClientMultiLock implements MultiLock {
  private final LockOptions options;
  private final ImmutableSortedMap<String, LockMachine> machines;

  /**
   * A multi-lock.
   *
   * @param machines which one serves which name. They are known before anything is asked for, so
   *     that nobody has to look for one on the loop
   */
  ClientMultiLock(LockOptions options, ImmutableSortedMap<String, LockMachine> machines) {
    this.options = options;
    this.machines = machines;
  }

  @Override
  public ImmutableSortedSet<String> names() {
    return machines.keySet();
  }

  @Override
  public LockOptions options() {
    return options;
  }

  private MultiRequest request(long waitNanos) {
    return new MultiRequest(machines, options, waitNanos);
  }

  @Override
  public MultiLease acquire() throws InterruptedException {
    return waitFor(Times.nanosOfWait(options.maxWait()));
  }

  private MultiLease waitFor(long waitNanos) throws InterruptedException {
    return Waiter.interruptibly(request(waitNanos), Times.patienceNanos(waitNanos));
  }

  @Override
  public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
    try {
      return Optional.of(waitFor(Times.nanosOfWait(wait)));
    } catch (NotAcquiredException e) {
      return Optional.empty();
    }
  }

  @Override
  public CompletableFuture<MultiLease> acquireAsync() {
    MultiRequest request = request(Times.nanosOfWait(options.maxWait()));
    return Promise.of(request, request.first().callbacks());
  }

  @Override
  public String toString() {
    return "MultiLock" + names();
  }
}
