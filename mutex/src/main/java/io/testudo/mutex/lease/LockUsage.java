package io.testudo.mutex.lease;

/**
 * What the locks of a server take.
 *
 * @param locks that it remembers, in use or not
 * @param refused how often there was no room for one more
 */
public record LockUsage(int locks, long refused) {
  /** A machine that has such figures. */
  public interface Source {
    /** As of a moment ago; for whoever asks, on any thread. */
    LockUsage lockUsage();
  }
}
