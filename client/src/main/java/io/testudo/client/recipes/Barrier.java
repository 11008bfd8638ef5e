package io.testudo.client.recipes;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Where so many parties wait for each other, again and again. Those who have come go on together as
 * soon as they are enough; who comes later belongs to the next generation.
 *
 * <p>A party that gives up, by a timeout, an interrupt or a cancelled future, counts no longer,
 * unless the others had gone on with it already. One that dies counts until its lease is over.
 */
public interface Barrier {
  String name();

  /** How many have to come. */
  int parties();

  /**
   * Waits for the others, as long as the options say: without limit unless they have a wait.
   *
   * @return the generation that went on: the same for all of it, and larger than any before
   * @throws InterruptedException if interrupted; the party is withdrawn
   */
  long await() throws InterruptedException;

  /**
   * Waits for the others, no longer than said. Whether it came too late is decided by the order of
   * operations: if the others have gone on with it, it is told so even if that was later.
   *
   * @return the generation; empty if the party was withdrawn
   */
  OptionalLong await(Duration wait) throws InterruptedException;

  /** As {@link #await()}; cancelling the future withdraws the party. */
  CompletableFuture<Long> arrive();
}
