package io.testudo.mutex.lease;

import io.testudo.mutex.protocol.LockTiming;

/** Why a server does not grant what was asked of it; the numbers are permanent. */
public enum RefusalReason {
  /** The lease is longer than the limit, in nanoseconds. */
  LEASE_TOO_LONG(1),
  /** As many locks as the limit are in use. */
  TOO_MANY_LOCKS(2),
  /** The name is bound to another lock protocol here. */
  OTHER_BACKEND(3),
  /** The rank is further ahead of the server's clock than the limit, which is the time of one. */
  CLOCK_AHEAD(4),
  /** The server has started again and grants nothing for as many nanoseconds as the limit. */
  QUARANTINED(5);

  private final int number;

  RefusalReason(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** Finds a reason; one that there is not is a fault of the peer. */
  public static RefusalReason ofNumber(int number) {
    for (RefusalReason reason : values()) {
      if (reason.number == number) {
        return reason;
      }
    }
    throw new IllegalArgumentException("there is no reason " + number);
  }

  /** For who asked. */
  public String words(long limit, LockTiming timing) {
    return switch (this) {
      case LEASE_TOO_LONG -> "a lease may last %d ms at most".formatted(limit / 1_000_000);
      case TOO_MANY_LOCKS ->
          "it has no room for another lock in use (%d of one principal at most)".formatted(limit);
      case OTHER_BACKEND -> "the servers have bound this name to another backend";
      case CLOCK_AHEAD ->
          "the clock of this process is more than %d ms ahead of those of the servers"
              .formatted(timing.maxSkewMillis());
      case QUARANTINED -> "they have started again and grant nothing yet";
    };
  }
}
