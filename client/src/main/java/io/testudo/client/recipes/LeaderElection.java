package io.testudo.client.recipes;

import io.testudo.mutex.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One of those who contend for a name leads. It contends from {@link #start()} to {@link #close()},
 * again and again: after a loss, after {@link #resign()}, and after whatever keeps servers from
 * answering. The lock behind it is renewed without end, as long as this process gets through to
 * enough servers.
 *
 * <p><b>Never two by the fence.</b> A later leader has a larger {@linkplain Lease#fencingToken()
 * term}. A process that stands still can believe for a moment that it leads when another one does:
 * so whatever leaders write to has to check the term, as with any lock.
 */
public interface LeaderElection extends AutoCloseable {
  String name();

  /** Adds a listener; one that comes when this process leads is told so. */
  LeaderElection listen(LeadershipListener listener);

  /** Begins to contend. Has no effect the second time. */
  LeaderElection start();

  /** Whether this process leads now, by its own clocks. */
  boolean isLeader();

  /** The term of this process, if it leads now. */
  Optional<Lease> leadership();

  /**
   * Done when this process leads, at once if it does; cancelling it, or {@code orTimeout}, ends the
   * wait.
   *
   * @return fails with an {@link io.testudo.quorum.OverloadedException} if very many wait already
   */
  CompletableFuture<Lease> whenLeader();

  /** Waits until this process leads, however long that takes. */
  Lease awaitLeadership() throws InterruptedException;

  /**
   * Waits until this process leads, no longer than said.
   *
   * @return empty if that was too short; it contends all the same
   */
  Optional<Lease> awaitLeadership(Duration wait) throws InterruptedException;

  /**
   * Gives the leadership up, if it has it: listeners are told at once, and when they have returned
   * (after the time of a hold at the latest) others can have it. Then it contends again, after a
   * pause, so that others come first.
   */
  void resign();

  /** As {@link #resign()}, without contending again. Has no effect the second time. */
  @Override
  void close();
}
