package io.testudo.mutex;

/**
 * Hears of a client's locks, to count, measure or trace them. It is called on the threads of those
 * who ask and on that of the connections: it must return at once and wait for nothing.
 */
public interface LockListener {
  /** Hears nothing. */
  LockListener NONE = new LockListener() {};

  /**
   * A lock is asked for; called on the thread that asks. Each lock of a multi-lock counts, when its
   * turn has come.
   *
   * @return who hears what becomes of this request
   */
  default LockObserver requested(String lock) {
    return LockObserver.NONE;
  }

  /**
   * Somebody here who waits for the lock was denied it and asks anew after a while. Only the
   * backoff protocol does so: where servers keep queues, a waiter keeps its place.
   */
  default void retried(String lock) {}
}
