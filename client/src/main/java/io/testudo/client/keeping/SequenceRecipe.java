package io.testudo.client.keeping;

import io.testudo.client.recipes.FencedSequence;
import io.testudo.client.roster.SequenceState;
import io.testudo.mutex.StaleFenceException;
import io.testudo.ordering.ReplicatedObject;
import java.util.concurrent.CompletableFuture;

/** A sequence is an object that compares tokens in the same step in which it counts. */
final class SequenceRecipe implements FencedSequence {
  private final ReplicatedObject<SequenceState> object;

  SequenceRecipe(ReplicatedObject<SequenceState> object) {
    this.object = object;
  }

  @Override
  public String name() {
    return object.name();
  }

  @Override
  public CompletableFuture<Long> next(long fencingToken) {
    return take(fencingToken, 1);
  }

  @Override
  public CompletableFuture<Long> reserve(long fencingToken, int count) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "One cannot reserve %d numbers; ask for one or more.".formatted(count));
    }
    return take(fencingToken, count);
  }

  @Override
  public CompletableFuture<Void> fence(long fencingToken) {
    return take(fencingToken, 0).thenAccept(first -> {});
  }

  private CompletableFuture<Long> take(long fencingToken, int count) {
    if (fencingToken < 0) {
      throw new IllegalArgumentException(
          "A fencing token is not negative, as %d is; use that of a lease."
              .formatted(fencingToken));
    }
    return object
        .submit(SequenceState.TAKE, new SequenceState.Wish(fencingToken, count))
        .thenApply(
            given -> {
              if (given.fence() > fencingToken) {
                throw new StaleFenceException(fencingToken, given.fence());
              }
              return given.first();
            });
  }

  @Override
  public CompletableFuture<Long> last() {
    return object.read(SequenceState::last);
  }

  @Override
  public String toString() {
    return "FencedSequence(" + name() + ")";
  }
}
