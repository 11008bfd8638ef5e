package io.testudo.client.keeping;

import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.recipes.Barrier;
import io.testudo.client.roster.Standing;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A barrier is a roster whose members come in together and leave by themselves. */
final class BarrierRecipe implements Barrier {
  private final RosterKeeper keeper;
  private final LockOptions options;

  BarrierRecipe(RosterKeeper keeper, LockOptions options) {
    this.keeper = keeper;
    this.options = options;
  }

  @Override
  public String name() {
    return keeper.object().name();
  }

  @Override
  public int parties() {
    return keeper.size();
  }

  @Override
  public long await() throws InterruptedException {
    return Blocking.interruptibly(arrive());
  }

  @Override
  public OptionalLong await(Duration wait) throws InterruptedException {
    RosterRequest request = keeper.begin(1, options.withoutMaxWait());
    CompletableFuture<Long> generation = generation(request);
    long limitNanos = Math.max(0, Clipped.nanos(wait));
    Pending timeUp = keeper.around().clock().later(limitNanos, () -> withdraw(request, generation));
    try {
      return OptionalLong.of(Blocking.interruptibly(generation));
    } catch (NotAcquiredException e) {
      return OptionalLong.empty();
    } finally {
      timeUp.cancel();
    }
  }

  @Override
  public CompletableFuture<Long> arrive() {
    RosterRequest request = keeper.begin(1, options.withoutMaxWait());
    CompletableFuture<Long> generation = generation(request);
    options
        .maxWait()
        .ifPresent(
            wait -> {
              Pending timeUp =
                  keeper
                      .around()
                      .clock()
                      .later(Clipped.nanos(wait), () -> withdraw(request, generation));
              var unused = generation.whenComplete((done, error) -> timeUp.cancel());
            });
    return generation;
  }

  private static CompletableFuture<Long> generation(RosterRequest request) {
    CompletableFuture<Long> generation = new CompletableFuture<>();
    var unused =
        request
            .future()
            .whenComplete(
                (lease, error) -> {
                  if (error != null) {
                    generation.completeExceptionally(error);
                  } else {
                    lease.close(); // It has gone on, and nobody has to wait for it.
                    generation.complete(lease.fencingToken());
                  }
                });
    var unusedToo =
        generation.whenComplete(
            (number, error) -> {
              if (error != null) {
                boolean unusedAnswer = request.future().cancel(false);
              }
            });
    return generation;
  }

  /** What the others saw decides: they have gone on with it, or it was withdrawn before. */
  private void withdraw(RosterRequest request, CompletableFuture<Long> generation) {
    if (generation.isDone() || request.future().isDone()) {
      return;
    }
    var unused =
        request
            .withdraw()
            .whenComplete(
                (standing, error) -> {
                  if (error != null) {
                    generation.completeExceptionally(error);
                  } else if (standing.kind() == Standing.Kind.HELD) {
                    generation.complete(standing.number());
                  } else if (!request.future().isDone()) {
                    generation.completeExceptionally(new NotAcquiredException(name()));
                  }
                });
  }

  @Override
  public String toString() {
    return "Barrier(" + name() + ", " + parties() + ")";
  }
}
