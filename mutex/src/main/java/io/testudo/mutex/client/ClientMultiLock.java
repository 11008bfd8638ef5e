package io.testudo.mutex.client;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.MultiLease;
import io.testudo.mutex.MultiLock;
import io.testudo.mutex.NotAcquiredException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Several locks of a {@link LockClient}. */
final class ClientMultiLock implements MultiLock {
  private final ImmutableSortedSet<String> names;
  private final LockOptions options;
  private final Function<String, LockHalf> halves;

  ClientMultiLock(
      ImmutableSortedSet<String> names, LockOptions options, Function<String, LockHalf> halves) {
    this.names = names;
    this.options = options;
    this.halves = halves;
    for (String name : names) {
      LockHalf unused = halves.apply(name); // To fail now, if at all.
    }
  }

  @Override
  public ImmutableSortedSet<String> names() {
    return names;
  }

  @Override
  public LockOptions options() {
    return options;
  }

  private MultiRequest request(long waitNanos) {
    return new MultiRequest(halves, names.asList(), options, waitNanos);
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
    return Promise.of(
        request(Times.nanosOfWait(options.maxWait())), halves.apply(names.first()).callbacks());
  }

  @Override
  public String toString() {
    return "MultiLock" + names;
  }
}
