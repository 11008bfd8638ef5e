package io.testudo.client.keeping;

import io.testudo.mutex.LockOptions;
import java.time.Duration;

/** Durations of applications as numbers. */
final class Clipped {
  private Clipped() {}

  /** At most a year; what is negative does not last. */
  static long nanos(Duration time) {
    if (time.isNegative()) {
      return 0;
    }
    return time.compareTo(LockOptions.MAX_TIME) > 0
        ? LockOptions.MAX_TIME.toNanos()
        : time.toNanos();
  }
}
