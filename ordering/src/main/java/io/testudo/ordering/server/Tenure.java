package io.testudo.ordering.server;

import io.testudo.quorum.ClientId;
import org.jspecify.annotations.Nullable;

/**
 * Which client orders an object, as far as one server has heard. It is always the one with the
 * highest rank; only how soon things are done depends on it.
 */
final class Tenure {
  private @Nullable ClientId holder;
  private boolean isOrdering;
  private long heardNanos;

  /**
   * The ballot of the highest rank was heard of.
   *
   * @param orders whether it has got beyond asking: then others make way for it, whatever their
   *     rank
   */
  void heard(ClientId from, boolean orders, long nowNanos) {
    isOrdering = orders || (isOrdering && from.equals(holder));
    holder = from;
    heardNanos = nowNanos;
  }

  /** The holder has given it up. */
  void end() {
    holder = null;
    isOrdering = false;
  }

  /** Who has it; nobody if the holder has been silent for so long that it may be gone. */
  @Nullable ClientId holder(long nowNanos, long courtesyNanos) {
    return nowNanos - heardNanos < courtesyNanos ? holder : null;
  }

  /** Whether the holder has got beyond asking what there is. */
  boolean isOrdering() {
    return isOrdering;
  }
}
