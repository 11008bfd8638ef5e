package io.testudo.client.recipes;

import java.util.concurrent.CompletableFuture;

/**
 * Numbers that are given out once each, in growing order, to holders of a lock who do not come too
 * late. It keeps the largest fencing token that it was shown and refuses smaller ones. What was
 * given to a caller that did not hear of it is never given again, so there may be gaps.
 *
 * <p>Use one for each lock: tokens of different locks do not compare.
 */
public interface FencedSequence {
  String name();

  /**
   * The next number, from 1 on.
   *
   * @param fencingToken of a lease, 0 or more
   * @return fails with a {@link io.testudo.mutex.StaleFenceException} if a larger one was here
   */
  CompletableFuture<Long> next(long fencingToken);

  /** As {@link #next(long)} for so many numbers that follow each other; gives the first of them. */
  CompletableFuture<Long> reserve(long fencingToken, int count);

  /** Shuts earlier holders out from now on, without taking a number. */
  CompletableFuture<Void> fence(long fencingToken);

  /** The last number that was given out; 0 if none was. */
  CompletableFuture<Long> last();
}
