package io.testudo.ordering.objects;

import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.ReplicatedObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Learns the layout of a large map once. What waits for it goes on in the order of its calls, so
 * the operations of one client on one key take effect in that order.
 */
final class LargeMapDirectory {
  private final int shards;

  /** Not a monitor: code of callers may run while it is held, which would pin virtual threads. */
  private final ReentrantLock turn = new ReentrantLock();

  /** Guarded by {@link #turn}, like all that follows. */
  private @Nullable LargeMapLayout layout;

  private final Deque<Waiting<?>> waiting = new ArrayDeque<>();

  private boolean isAsking;

  private record Waiting<T>(
      boolean creates,
      Function<Optional<LargeMapLayout>, CompletableFuture<T>> then,
      CompletableFuture<T> future) {
    @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
    void goOn(Optional<LargeMapLayout> known) {
      then.apply(known)
          .whenComplete(
              (result, failure) -> {
                if (failure == null) {
                  future.complete(result);
                } else {
                  fail(failure);
                }
              });
    }

    void fail(Throwable failure) {
      future.completeExceptionally(failure);
    }
  }

  LargeMapDirectory(int shards) {
    this.shards = shards;
  }

  /**
   * Goes on when the layout is known.
   *
   * @param creates whether it is chosen now if there is none; else it may be empty
   */
  <T> CompletableFuture<T> ask(
      ReplicatedObject<Optional<LargeMapLayout>> object,
      boolean creates,
      Function<Optional<LargeMapLayout>, CompletableFuture<T>> then) {
    turn.lock();
    try {
      if (layout != null) {
        return then.apply(Optional.of(layout));
      }
      Waiting<T> one = new Waiting<>(creates, then, new CompletableFuture<>());
      waiting.add(one);
      if (!isAsking) {
        isAsking = true;
        read(object);
      }
      return one.future();
    } finally {
      turn.unlock();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  private void read(ReplicatedObject<Optional<LargeMapLayout>> object) {
    object
        .read(Function.identity())
        .whenComplete(
            (present, failure) -> {
              if (failure != null) {
                fail(failure);
              } else if (present.isPresent()) {
                open(object.name(), present.get());
              } else if (isWantedAfterReads()) {
                create(object);
              }
            });
  }

  /** There is none yet: lets those go on who only look. Whether others are left. */
  private boolean isWantedAfterReads() {
    turn.lock();
    try {
      waiting.stream().filter(one -> !one.creates()).forEach(one -> one.goOn(Optional.empty()));
      waiting.removeIf(one -> !one.creates());
      isAsking = !waiting.isEmpty();
      return isAsking;
    } finally {
      turn.unlock();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  private void create(ReplicatedObject<Optional<LargeMapLayout>> object) {
    object
        .submit(LargeMapLayout.CREATE, shards)
        .whenComplete(
            (made, failure) -> {
              if (failure != null) {
                fail(failure);
              } else {
                open(object.name(), made);
              }
            });
  }

  private void open(String name, LargeMapLayout found) {
    turn.lock();
    try {
      try {
        layout = found.require(shards);
      } catch (IllegalStateException e) {
        fail(new OperationFailedException(name, "open", String.valueOf(e.getMessage())));
        return;
      }
      Optional<LargeMapLayout> known = Optional.of(found);
      while (!waiting.isEmpty()) {
        waiting.remove().goOn(known);
      }
    } finally {
      turn.unlock();
    }
  }

  private void fail(Throwable failure) {
    turn.lock();
    try {
      isAsking = false;
      while (!waiting.isEmpty()) {
        waiting.remove().fail(failure);
      }
    } finally {
      turn.unlock();
    }
  }
}
