package io.testudo.mutex.client;

import io.testudo.mutex.LockOptions;
import io.testudo.mutex.protocol.Acquire;
import java.time.Duration;
import java.util.Optional;

/** Durations of the API as the protocols count them. */
final class Times {
  private Times() {}

  static long nanosOfHold(Duration hold) {
    return LockOptions.standard().withHold(hold).hold().toNanos();
  }

  /** As long as an application says; what is negative does not wait, what is huge has no limit. */
  static long nanosOfWait(Duration wait) {
    if (wait.isNegative()) {
      return 0;
    }
    return wait.compareTo(LockOptions.MAX_TIME) > 0 ? Acquire.FOREVER : wait.toNanos();
  }

  static long nanosOfWait(Optional<Duration> limit) {
    return limit.isPresent() ? nanosOfWait(limit.get()) : Acquire.FOREVER;
  }

  /** What no lease lasts as long as, if it has no end. */
  static long nanosOfRenewal(Duration limit) {
    return limit.equals(LockOptions.WITHOUT_END) ? Long.MAX_VALUE : limit.toNanos();
  }

  /** For people: Java's own words are PT10S. */
  static String words(Duration time) {
    return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  /** How long a caller may be kept waiting; a single try ends by itself. */
  static long patienceNanos(long waitNanos) {
    return waitNanos == 0 ? Waiter.FOREVER : waitNanos;
  }
}
