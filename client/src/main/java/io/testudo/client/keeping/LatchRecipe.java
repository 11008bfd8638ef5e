package io.testudo.client.keeping;

import io.testudo.client.recipes.CountDownLatch;
import io.testudo.client.roster.LatchState;
import io.testudo.ordering.ReplicatedObject;
import io.testudo.ordering.Snapshot;
import io.testudo.ordering.Subscription;
import io.testudo.ordering.VersionListener;
import io.testudo.quorum.TestudoException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A latch is an object that only counts down: whoever sees zero in any version may go on. */
final class LatchRecipe implements CountDownLatch {
  private final ReplicatedObject<LatchState> object;
  private final int count;

  LatchRecipe(ReplicatedObject<LatchState> object, int count) {
    this.object = object;
    this.count = count;
  }

  @Override
  public String name() {
    return object.name();
  }

  @Override
  public CompletableFuture<Integer> countDown() {
    return arrive("");
  }

  @Override
  public CompletableFuture<Integer> countDown(String party) {
    if (party.isEmpty() || party.length() > LatchState.MAX_PARTY_CHARS) {
      throw new IllegalArgumentException(
          "The name of a party has 1 to %d characters, not %d; choose another."
              .formatted(LatchState.MAX_PARTY_CHARS, party.length()));
    }
    return arrive(party);
  }

  private CompletableFuture<Integer> arrive(String party) {
    return object
        .submit(LatchState.COUNT_DOWN, new LatchState.Arrival(count, party))
        .thenApply(
            left -> {
              requireCount(left.count());
              return left.left();
            });
  }

  private void requireCount(int itsCount) {
    if (itsCount != count) {
      throw new IllegalStateException(
          "'%s' began at %d, not at %d; open it with its own count."
              .formatted(name(), itsCount, count));
    }
  }

  @Override
  public CompletableFuture<Integer> count() {
    return object.read(this::leftIn);
  }

  private int leftIn(LatchState latch) {
    if (latch.count() != 0) {
      requireCount(latch.count());
    }
    return latch.left(count);
  }

  @Override
  public CompletableFuture<Boolean> delete() {
    return object.delete();
  }

  @Override
  public void await() throws InterruptedException {
    Void unused = Blocking.interruptibly(whenZero());
  }

  @Override
  public boolean await(Duration wait) throws InterruptedException {
    CompletableFuture<Void> zero = whenZero();
    try {
      Void unused = zero.get(Clipped.nanos(wait), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      Void unused = Blocking.uninterruptibly(zero);
      return true;
    } finally {
      boolean unused = zero.cancel(false);
    }
  }

  @Override
  public CompletableFuture<Void> whenZero() {
    CompletableFuture<Void> zero = new CompletableFuture<>();
    Subscription subscription =
        object.onVersion(
            new VersionListener<LatchState>() {
              @Override
              public void onVersion(Snapshot<LatchState> snapshot) {
                try {
                  if (leftIn(snapshot.state()) == 0) {
                    zero.complete(null);
                  }
                } catch (IllegalStateException e) {
                  zero.completeExceptionally(e);
                }
              }

              @Override
              public void onEnd(TestudoException reason) {
                zero.completeExceptionally(reason);
              }
            });
    var unused = zero.whenComplete((done, error) -> subscription.close());
    return zero;
  }

  @Override
  public String toString() {
    return "CountDownLatch(" + name() + ", " + count + ")";
  }
}
