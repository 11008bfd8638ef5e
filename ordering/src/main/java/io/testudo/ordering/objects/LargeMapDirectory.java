package io.testudo.ordering.objects;

import io.testudo.ordering.OperationFailedException;
import io.testudo.ordering.ReplicatedObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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

  /** No code of callers runs while it is held. */
  private final ReentrantLock turn = new ReentrantLock();

  /**
   * Set when nobody waits any more: whoever finds it would overtake those. Guarded by {@link
   * #turn}, like all that follows.
   */
  private @Nullable LargeMapLayout layout;

  private final Deque<Waiting<?>> waiting = new ArrayDeque<>();

  private boolean isAsking;

  private record Waiting<T>(
      boolean creates,
      Function<Optional<LargeMapLayout>, CompletableFuture<T>> then,
      CompletableFuture<T> future) {
    @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
    void goOn(Optional<LargeMapLayout> known) {
      CompletableFuture<T> ended;
      try {
        ended = then.apply(known);
      } catch (RuntimeException e) { // A wrong argument, say: whoever waits behind it goes on.
        fail(e);
        return;
      }
      ended.whenComplete(
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
    Waiting<T> one = new Waiting<>(creates, then, new CompletableFuture<>());
    Optional<LargeMapLayout> known;
    boolean isFirst = false;
    turn.lock();
    try {
      known = Optional.ofNullable(layout);
      if (known.isEmpty()) {
        waiting.add(one);
        isFirst = !isAsking;
        isAsking = true;
      }
    } finally {
      turn.unlock();
    }
    if (known.isPresent()) {
      return then.apply(known);
    }
    if (isFirst) {
      read(object);
    }
    return one.future();
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
    List<Waiting<?>> onlyLook;
    boolean areOthersLeft;
    turn.lock();
    try {
      onlyLook = waiting.stream().filter(one -> !one.creates()).toList();
      waiting.removeIf(one -> !one.creates());
      isAsking = !waiting.isEmpty();
      areOthersLeft = isAsking;
    } finally {
      turn.unlock();
    }
    onlyLook.forEach(one -> one.goOn(Optional.empty()));
    return areOthersLeft;
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
    LargeMapLayout fitting;
    try {
      fitting = found.require(shards);
    } catch (IllegalStateException e) {
      fail(new OperationFailedException(name, "open", String.valueOf(e.getMessage())));
      return;
    }
    Optional<LargeMapLayout> known = Optional.of(fitting);
    List<Waiting<?>> next = takeAll(fitting);
    while (!next.isEmpty()) {
      next.forEach(one -> one.goOn(known));
      next = takeAll(fitting); // Those who came meanwhile.
    }
  }

  private List<Waiting<?>> takeAll(LargeMapLayout onceNobodyWaits) {
    turn.lock();
    try {
      List<Waiting<?>> all = List.copyOf(waiting);
      waiting.clear();
      if (all.isEmpty()) {
        layout = onceNobodyWaits;
      }
      return all;
    } finally {
      turn.unlock();
    }
  }

  private void fail(Throwable failure) {
    List<Waiting<?>> all;
    turn.lock();
    try {
      isAsking = false;
      all = List.copyOf(waiting);
      waiting.clear();
    } finally {
      turn.unlock();
    }
    all.forEach(one -> one.fail(failure));
  }
}
