package io.testudo.client.recipes;

import io.testudo.mutex.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Gives leases, in the order in which they were asked for: nobody is overtaken, not even by those
 * who ask without waiting. A lease is a handle that any thread may use. Each call gives another.
 *
 * <p>Whoever timed out, was interrupted or cancelled its future holds nothing, and will not hold it
 * later: what was granted meanwhile is given back.
 */
public interface LeaseSource {
  /**
   * Waits, as long as the options say.
   *
   * @throws io.testudo.mutex.NotAcquiredException if the wait was over before
   * @throws io.testudo.quorum.OverloadedException if as many wait already as may
   * @throws io.testudo.quorum.NotAllowedException if this client lacks the right to the object
   * @throws io.testudo.quorum.ClosedException if the client is closed, before or meanwhile
   * @throws IllegalStateException if the object was made with another size
   * @throws InterruptedException if interrupted; the request is withdrawn, and nothing is held
   */
  Lease acquire() throws InterruptedException;

  /** Asks once, without waiting for holders or for those who came before. */
  Optional<Lease> tryAcquire() throws InterruptedException;

  /** Waits no longer than said. */
  Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

  /** As {@link #acquire()}, without blocking; cancelling the future withdraws the request. */
  CompletableFuture<Lease> acquireAsync();
}
