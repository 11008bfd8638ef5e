package io.testudo.springtx;

import io.testudo.mutex.Lease;
import io.testudo.mutex.LeaseLostException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The leases of one transaction. Only its thread uses it. */
final class HeldByTransaction implements TransactionSynchronization {
  /** Of each thread: the transaction that it suspended last, if that has locks. */
  private static final ThreadLocal<@Nullable HeldByTransaction> SUSPENDED = new ThreadLocal<>();

  private final TransactionLocks owner;
  private final Map<String, Lease> leases = new LinkedHashMap<>();
  private @Nullable HeldByTransaction suspendedBefore;

  private HeldByTransaction(TransactionLocks owner) {
    this.owner = owner;
  }

  static @Nullable HeldByTransaction present(TransactionLocks owner) {
    return (HeldByTransaction) TransactionSynchronizationManager.getResource(owner);
  }

  static HeldByTransaction of(TransactionLocks owner) {
    HeldByTransaction present = present(owner);
    if (present != null) {
      return present;
    }
    HeldByTransaction made = new HeldByTransaction(owner);
    TransactionSynchronizationManager.bindResource(owner, made);
    TransactionSynchronizationManager.registerSynchronization(made);
    return made;
  }

  Map<String, Lease> leases() {
    return leases;
  }

  @Nullable Lease lease(String name) {
    Lease lease = leases.get(name);
    if (lease != null && !lease.isHeld()) {
      throw new LeaseLostException(name);
    }
    return lease;
  }

  void requireNotSuspended(String name) {
    for (HeldByTransaction held = SUSPENDED.get(); held != null; held = held.suspendedBefore) {
      if (held.leases.containsKey(name)) {
        throw new IllegalStateException(
            "The lock '%s' belongs to a transaction that this thread has suspended, and would wait for itself."
                .formatted(name));
      }
    }
  }

  Lease keep(String name, Lease lease) {
    leases.put(name, lease);
    return lease;
  }

  /** Last of all: what others do after the commit is still under the lock. */
  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }

  @Override
  public void suspend() {
    TransactionSynchronizationManager.unbindResource(owner);
    suspendedBefore = SUSPENDED.get();
    SUSPENDED.set(this);
  }

  @Override
  public void resume() {
    if (suspendedBefore == null) {
      SUSPENDED.remove();
    } else {
      SUSPENDED.set(suspendedBefore);
    }
    suspendedBefore = null;
    TransactionSynchronizationManager.bindResource(owner, this);
  }

  @Override
  public void beforeCommit(boolean readOnly) {
    for (Map.Entry<String, Lease> held : leases.entrySet()) {
      if (!held.getValue().isHeld()) {
        throw new LeaseLostException(held.getKey());
      }
    }
  }

  @Override
  public void afterCompletion(int status) {
    TransactionSynchronizationManager.unbindResourceIfPossible(owner);
    leases.values().forEach(Lease::close);
    leases.clear();
  }
}
