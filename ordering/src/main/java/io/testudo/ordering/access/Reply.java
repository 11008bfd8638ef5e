package io.testudo.ordering.access;

import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.OngoingCall;
import io.testudo.quorum.runtime.CallListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An answer as a future. It completes on an executor, so that what is chained to it may block. When
 * the caller ends the future in its own way, the machine is told that nobody waits any more.
 *
 * @param <T> what the machine answers
 * @param <V> what the caller sees of it
 */
final class Reply<T, V> implements CallListener<T> {
  private final CompletableFuture<V> future = new CompletableFuture<>();
  private final Executor executor;
  private final Function<T, V> view;

  /** Another way to the answer, for some results of the machine; null for all others. */
  private final Function<T, @Nullable CompletableFuture<V>> detour;

  /** Guarded by this. */
  private @Nullable OngoingCall ongoing;

  private boolean abandoned;

  /**
   * A reply.
   *
   * @param view made on the executor; what it throws, the future fails with
   */
  Reply(Executor executor, Function<T, V> view) {
    this(executor, view, result -> null);
  }

  /**
   * A reply that some results lead to by another way.
   *
   * @param detour what the future ends as instead; null if it ends by the view
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  Reply(
      Executor executor, Function<T, V> view, Function<T, @Nullable CompletableFuture<V>> detour) {
    this.executor = executor;
    this.view = view;
    this.detour = detour;
    future.whenComplete(
        (value, error) -> {
          if (error != null) {
            abandon();
          }
        });
  }

  CompletableFuture<V> future() {
    return future;
  }

  /** The call whose answer this is; it is given up if the caller has left already. */
  void awaits(OngoingCall call) {
    boolean isTooLate;
    synchronized (this) {
      ongoing = call;
      isTooLate = abandoned;
    }
    if (isTooLate) {
      call.cancel();
    }
  }

  private void abandon() {
    OngoingCall call;
    synchronized (this) {
      abandoned = true;
      call = ongoing;
    }
    if (call != null) {
      call.cancel();
    }
  }

  @Override
  public void completed(T result) {
    executor.execute(
        () -> {
          try {
            CompletableFuture<V> other = detour.apply(result);
            if (other == null) {
              future.complete(view.apply(result));
            } else {
              follow(other);
            }
          } catch (Throwable e) { // Whatever an application throws: its caller waits.
            future.completeExceptionally(e);
          }
        });
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  private void follow(CompletableFuture<V> other) {
    other.whenComplete(
        (value, error) -> {
          if (error == null) {
            future.complete(value);
          } else {
            future.completeExceptionally(
                error instanceof CompletionException && error.getCause() != null
                    ? error.getCause()
                    : error);
          }
        });
  }

  @Override
  public void failed(TestudoException reason) {
    executor.execute(() -> future.completeExceptionally(reason));
  }
}
