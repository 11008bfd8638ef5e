package io.testudo.client.keeping;

import io.testudo.client.recipes.LeaseSource;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Leases on a part of a roster. */
final class RosterSource implements LeaseSource {
  private final RosterKeeper keeper;
  private final int weight;
  private final LockOptions options;

  RosterSource(RosterKeeper keeper, int weight, LockOptions options) {
    this.keeper = keeper;
    this.weight = weight;
    this.options = options;
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return Blocking.lease(acquireAsync());
  }

  @Override
  public Optional<Lease> tryAcquire() throws InterruptedException {
    return tryAcquire(Duration.ZERO);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    Duration limit = wait.isNegative() ? Duration.ZERO : wait;
    LockOptions limited =
        limit.compareTo(LockOptions.MAX_TIME) > 0
            ? options.withoutMaxWait()
            : options.withMaxWait(limit);
    return Blocking.leaseInTime(keeper.begin(weight, limited).future());
  }

  @Override
  public CompletableFuture<Lease> acquireAsync() {
    return keeper.begin(weight, options).future();
  }
}
