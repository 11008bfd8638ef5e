package io.testudo.ordering.access;

import io.testudo.quorum.TestudoException;
import io.testudo.quorum.netty.OngoingCall;
import io.testudo.quorum.runtime.CallListener;
import java.util.concurrent.CompletableFuture;
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

  /** Guarded by this. */
  private @Nullable OngoingCall ongoing;

  private boolean abandoned;

  /**
   * A reply.
   *
   * @param view made on the executor; what it throws, the future fails with
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  Reply(Executor executor, Function<T, V> view) {
    this.executor = executor;
    this.view = view;
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
            future.complete(view.apply(result));
          } catch (Throwable e) { // Whatever an application throws: its caller waits.
            future.completeExceptionally(e);
          }
        });
  }

  @Override
  public void failed(TestudoException reason) {
    executor.execute(() -> future.completeExceptionally(reason));
  }
}
