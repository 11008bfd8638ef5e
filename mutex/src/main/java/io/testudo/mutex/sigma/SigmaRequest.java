package io.testudo.mutex.sigma;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.mutex.protocol.LockMessage;
import io.testudo.mutex.protocol.LockNames;
import io.testudo.mutex.protocol.RankClock;

/** What a contender sends: all of it needs the right to lock. */
public sealed interface SigmaRequest extends LockMessage
    permits Request, Yield, SigmaRelease, Inquiry, Confirm {
  /** Times and fences end long before all numbers do: there must be many more after each. */
  long MAX_TIME = RankClock.MAX_TIME;

  /** Tells contenders of one process apart. */
  long contender();

  /** The time of the request, which with the contender names its epoch. */
  long time();

  /** Checks what all of them carry. */
  static void checkHead(String lock, long time) {
    LockNames.check(lock);
    RankClock.check(time);
  }

  /** Checks what those carry that are to be granted something. */
  static void checkLease(long leaseNanos, long number) {
    checkArgument(leaseNanos > 0, "a lease of %s ns is none", leaseNanos);
    checkNumber(number);
  }

  static void checkNumber(long number) {
    checkArgument(number > 0, "messages are numbered from 1, not %s", number);
  }
}
