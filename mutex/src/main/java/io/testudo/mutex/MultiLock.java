package io.testudo.mutex;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Several locks at once, all or none. They are acquired one after the other, in the order of their
 * names, so contenders for overlapping sets never wait for each other in a circle; what was
 * acquired is given back when one of them cannot be had. One limit holds for the whole wait.
 *
 * <p>While one lock is waited for, leases on those before it run: let them renew by themselves. If
 * one is lost all the same, all are given back and the whole begins again.
 */
public interface MultiLock {
  /** The names of the locks. */
  Set<String> names();

  /** How they are asked for. */
  LockOptions options();

  /** Waits for all the locks. Fails as {@link DistributedLock#acquire()} does, and holds none. */
  MultiLease acquire() throws InterruptedException;

  /** Waits for all the locks, no longer than said in all. */
  Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException;

  /** Asks for all the locks; cancelling the future withdraws the request and gives all back. */
  CompletableFuture<MultiLease> acquireAsync();
}
