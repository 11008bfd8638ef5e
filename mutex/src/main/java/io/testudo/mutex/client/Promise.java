package io.testudo.mutex.client;

import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * An answer as a future. It completes on an executor, so that what is chained to it may block. When
 * the caller ends the future in its own way, by cancelling it or by a timeout, the request is
 * withdrawn, and what was granted meanwhile is given back.
 *
 * @param <T> what the caller sees of it
 * @param <L> what is granted
 */
final class Promise<T, L extends T> implements CallListener<L> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final Asking<L> asking;
  private final Executor executor;

  private Promise(Asking<L> asking, Executor executor) {
    this.asking = asking;
    this.executor = executor;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What follows the future has no result.
  static <T, L extends T> CompletableFuture<T> of(Asking<L> asking, Executor executor) {
    Promise<T, L> promise = new Promise<>(asking, executor);
    Asking.Withdrawal withdrawal = asking.start(promise);
    promise.future.whenComplete(
        (granted, error) -> {
          // A failure of the request itself ends here too; it has nothing left to withdraw.
          if (error != null) {
            withdrawal.withdraw();
          }
        });
    return promise.future;
  }

  @Override
  public void completed(L granted) {
    executor.execute(
        () -> {
          if (!future.complete(granted)) {
            asking.giveBack(granted);
          }
        });
  }

  @Override
  public void failed(TestudoException reason) {
    executor.execute(() -> future.completeExceptionally(reason));
  }
}
