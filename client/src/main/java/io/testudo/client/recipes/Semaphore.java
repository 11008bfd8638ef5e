package io.testudo.client.recipes;

import java.util.concurrent.CompletableFuture;

/**
 * A number of permits, of which each lease takes one. First come, first served. A permit of a
 * process that died comes back when its lease is over and somebody else has asked for it.
 *
 * <p>Each lease has a larger fencing token than all before it. With more than one permit several
 * tokens are valid at a time, so a resource cannot tell by a token alone that it came too late: see
 * {@link #isHeld}.
 */
public interface Semaphore extends LeaseSource {
  String name();

  /** How many permits there are. */
  int size();

  /** Leases that take so many permits each, all or none. */
  LeaseSource permits(int count);

  /** How many permits nobody holds. */
  CompletableFuture<Integer> available();

  /**
   * Whether the holder of the lease with this token has neither given it back nor been evicted. A
   * token that was valid once and is not is never valid again: for resources that are told to work
   * for a holder.
   */
  CompletableFuture<Boolean> isHeld(long fencingToken);
}
