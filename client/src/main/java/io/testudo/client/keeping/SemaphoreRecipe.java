package io.testudo.client.keeping;

import io.testudo.client.recipes.LeaseSource;
import io.testudo.client.recipes.Semaphore;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A semaphore is a roster whose size is the number of permits. */
final class SemaphoreRecipe implements Semaphore {
  private final RosterKeeper keeper;
  private final LockOptions options;
  private final LeaseSource single;

  SemaphoreRecipe(RosterKeeper keeper, LockOptions options) {
    this.keeper = keeper;
    this.options = options;
    this.single = new RosterSource(keeper, 1, options);
  }

  @Override
  public String name() {
    return keeper.object().name();
  }

  @Override
  public int size() {
    return keeper.size();
  }

  @Override
  public LeaseSource permits(int count) {
    if (count < 1 || count > size()) {
      throw new IllegalArgumentException(
          "Of %d permits one cannot have %d; ask for 1 to %d.".formatted(size(), count, size()));
    }
    return new RosterSource(keeper, count, options);
  }

  @Override
  public CompletableFuture<Integer> available() {
    return keeper.object().read(roster -> size() - roster.taken());
  }

  @Override
  public CompletableFuture<Boolean> isHeld(long fencingToken) {
    return keeper
        .object()
        .read(
            roster -> roster.holders().stream().anyMatch(holder -> holder.fence() == fencingToken));
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return single.acquire();
  }

  @Override
  public Optional<Lease> tryAcquire() throws InterruptedException {
    return single.tryAcquire();
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return single.tryAcquire(wait);
  }

  @Override
  public CompletableFuture<Lease> acquireAsync() {
    return single.acquireAsync();
  }

  @Override
  public String toString() {
    return "Semaphore(" + name() + ", " + size() + ")";
  }
}
