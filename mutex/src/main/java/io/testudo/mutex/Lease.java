package io.testudo.mutex;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A lock that was acquired, until it is closed, or its term ends. Any thread may use it.
 *
 * <p>The term counts from before the first request was sent, on the clocks of this process: {@link
 * #isHeld()} needs no server. It says what was true when it looked: show the {@link
 * #fencingToken()} to whatever the lock protects.
 */
public interface Lease extends AutoCloseable {
  /** So many listeners hear of the loss of one lease. */
  int MAX_LISTENERS = 1_024;

  /** The name of the lock. */
  String lockName();

  /**
   * Larger than the token of any earlier holder of this lock. Renewal does not change it.
   *
   * @throws UnsupportedOperationException if the lock's backend has none, with the reason; which
   *     {@link #hasFencingToken()} tells before
   */
  long fencingToken();

  /**
   * Whether there is a {@link #fencingToken()}. Only some backends of rings have none: what such a
   * lock protects cannot refuse a holder that comes too late.
   */
  boolean hasFencingToken();

  /** What is left of the term; zero once it has ended, or the lease was closed. */
  Duration remaining();

  /** Whether it is held now. */
  boolean isHeld();

  /**
   * Asks to hold the lock for as long again as it was asked for, from now.
   *
   * @throws LeaseLostException if the lease has ended
   * @throws io.testudo.quorum.NoQuorumException if too few servers agreed in time; the lease then
   *     lasts as long as it would have
   */
  void renew();

  /** As {@link #renew()}, with another hold. */
  void renew(Duration hold);

  /** As {@link #renew(Duration)}, without blocking. */
  CompletableFuture<Void> renewAsync(Duration hold);

  /**
   * Calls a listener when the lease is lost: its term has ended, or its client was closed, before
   * it was closed itself. It is called once, at once if the lease is lost already, and never after
   * {@link #close()}. It runs on the client's executor.
   *
   * @throws io.testudo.quorum.OverloadedException if it has {@link #MAX_LISTENERS} already
   */
  void onLost(Runnable listener);

  /** Gives the lock back, without waiting for servers. Has no effect the second time. */
  @Override
  void close();
}
