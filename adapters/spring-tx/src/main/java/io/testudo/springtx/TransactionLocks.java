package io.testudo.springtx;

import io.testudo.client.TestudoClient;
import io.testudo.mutex.DistributedLock;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Locks that last as long as the transaction of their thread. A lock that is given back before the
 * commit lets the next holder read what is not there yet; these are given back after it, or after
 * the rollback.
 *
 * <pre>{@code
 * @Transactional
 * void book(Order order) throws InterruptedException {
 *   Lease lease = locks.acquire("orders");
 *   fence.check(connection, lease);
 *   ...
 * }
 * }</pre>
 *
 * A transaction whose lease has ended is rolled back when it would commit. That look is no guard:
 * the lease may end between it and the commit. What must never see two holders checks the fencing
 * token in the same transaction.
 */
public final class TransactionLocks {
  private final TestudoClient client;
  private final @Nullable LockOptions options;

  /** With the options of the client. */
  public TransactionLocks(TestudoClient client) {
    this(client, null);
  }

  /**
   * Locks with options of their own.
   *
   * @param options such as how long to wait; null for those of the client
   */
  public TransactionLocks(TestudoClient client, @Nullable LockOptions options) {
    this.client = client;
    this.options = options;
  }

  /**
   * Waits for a lock, unless this transaction has it, and holds it until the transaction is over.
   *
   * @return its lease, which the transaction closes
   * @throws IllegalStateException if no transaction is active, or if one has the lock that this
   *     thread has suspended: it would wait for itself
   * @throws io.testudo.mutex.LeaseLostException if this transaction had the lock and lost it
   */
  public Lease acquire(String name) throws InterruptedException {
    if (!TransactionSynchronizationManager.isSynchronizationActive()
        || !TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException(
          "No transaction is active that the lock '%s' could last as long as; begin one."
              .formatted(name));
    }
    HeldByTransaction held = HeldByTransaction.of(this);
    Lease present = held.lease(name);
    if (present != null) {
      return present;
    }
    held.requireNotSuspended(name);
    DistributedLock lock = options == null ? client.lock(name) : client.lock(name, options);
    return held.keep(name, lock.acquire());
  }

  /** The leases of the transaction that is active on this thread, by lock. */
  public Map<String, Lease> current() {
    HeldByTransaction held = HeldByTransaction.present(this);
    return held == null ? Map.of() : new LinkedHashMap<>(held.leases());
  }
}
