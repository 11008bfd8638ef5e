package io.testudo.mutex;

import io.testudo.quorum.TestudoException;

/**
 * Hears what becomes of one request: first one of {@link #acquired}, {@link #notAcquired} and
 * {@link #withdrawn}, and after the first of these one of {@link #released} and {@link #lost}. It
 * must return at once.
 */
public interface LockObserver {
  /** Hears nothing. */
  LockObserver NONE = new LockObserver() {};

  /** The lock was granted. */
  default void acquired(Lease lease) {}

  /** It was not, in time or at all. */
  default void notAcquired(TestudoException reason) {}

  /** Whoever asked was interrupted, cancelled the future, or waited no longer. */
  default void withdrawn() {}

  /** The holder gave the lock back. */
  default void released() {}

  /** The lease ended before its holder gave it back. */
  default void lost() {}
}
