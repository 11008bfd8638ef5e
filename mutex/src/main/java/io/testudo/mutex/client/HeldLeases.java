package io.testudo.mutex.client;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.testudo.mutex.Lease;
import io.testudo.mutex.MultiLease;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Leases that were acquired together. */
final class HeldLeases implements MultiLease {
  private final ImmutableSortedMap<String, HeldLease> leases;

  HeldLeases(ImmutableSortedMap<String, HeldLease> leases) {
    this.leases = leases;
  }

  @Override
  public ImmutableSortedSet<String> lockNames() {
    return leases.keySet();
  }

  @Override
  public Lease lease(String lockName) {
    HeldLease lease = leases.get(lockName);
    if (lease == null) {
      throw new IllegalArgumentException(
          "'%s' is not among the locks %s; ask for one of these."
              .formatted(lockName, leases.keySet()));
    }
    return lease;
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(
        leases.values().stream().mapToLong(HeldLease::remainingNanos).min().orElse(0));
  }

  @Override
  public boolean isHeld() {
    return leases.values().stream().allMatch(HeldLease::isHeld);
  }

  @Override
  public void onLost(Runnable listener) {
    AtomicBoolean told = new AtomicBoolean();
    Runnable once =
        () -> {
          if (told.compareAndSet(false, true)) {
            listener.run();
          }
        };
    leases.values().forEach(lease -> lease.onLost(once));
  }

  @Override
  public void close() {
    leases.descendingMap().values().forEach(HeldLease::close);
  }

  @Override
  public String toString() {
    return "MultiLease" + leases.values();
  }
}
