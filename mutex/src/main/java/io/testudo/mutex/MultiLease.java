package io.testudo.mutex;

import java.time.Duration;
import java.util.Set;

/** Several locks that were acquired together. Any thread may use it. */
public interface MultiLease extends AutoCloseable {
  /** The names of the locks. */
  Set<String> lockNames();

  /** The lease on one of the locks, for its fencing token. */
  Lease lease(String lockName);

  /** What is left of the shortest term. */
  Duration remaining();

  /** Whether all of them are held now. */
  boolean isHeld();

  /** Calls a listener, once, when the first of them is lost. See {@link Lease#onLost}. */
  void onLost(Runnable listener);

  /** Gives all of them back. Has no effect the second time. */
  @Override
  void close();
}
