package io.testudo.client.recipes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A number that is counted down to zero once, and those who wait for that. It stays at zero: take
 * another name for the next one.
 */
public interface CountDownLatch {
  String name();

  /**
   * Counts down by one, and tells what is left. At zero it stays. An exception whose {@code
   * outcome()} is unknown leaves open whether it was counted: then ask {@link #count()}.
   *
   * @return fails with an {@link IllegalStateException} if the latch was made with another count
   */
  CompletableFuture<Integer> countDown();

  /**
   * As {@link #countDown()}, but once for each party, however often it is called: so it can be
   * tried again after anything, also by another process.
   *
   * @param party up to 64 characters; a latch takes as many parties as its count
   */
  CompletableFuture<Integer> countDown(String party);

  /** What is left. */
  CompletableFuture<Integer> count();

  /** Waits until nothing is left, however long that takes. */
  void await() throws InterruptedException;

  /** Waits until nothing is left, no longer than said; false if that was too short. */
  boolean await(Duration wait) throws InterruptedException;

  /**
   * Deletes the latch, so that servers keep next to nothing of it: for a latch of one job, once all
   * have gone on. Whoever still waits waits for a new one of the same name. Tells whether there was
   * something to delete.
   */
  CompletableFuture<Boolean> delete();

  /** Done when nothing is left; cancelling it, or {@code orTimeout}, ends the wait. */
  CompletableFuture<Void> whenZero();
}
