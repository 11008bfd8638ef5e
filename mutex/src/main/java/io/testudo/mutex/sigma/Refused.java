package io.testudo.mutex.sigma;

import io.testudo.quorum.protocol.Message;

/**
 * Server to client: REFUSED, this will not be granted, as things stand.
 *
 * @param time of the epoch that this answers
 */
public record Refused(long time, Reason reason, long limit) implements Message {
  /** Why; the numbers are permanent. */
  public enum Reason {
    /** The lease is longer than the limit, in nanoseconds. */
    LEASE_TOO_LONG(1),
    /** As many locks as the limit are in use. */
    TOO_MANY_LOCKS(2),
    /** The name is bound to another lock protocol here. */
    OTHER_BACKEND(3),
    /** The time is further ahead of the server's clock than the limit. */
    CLOCK_AHEAD(4),
    /** The server has started again and grants nothing for as many nanoseconds as the limit. */
    QUARANTINED(5);

    private final int number;

    Reason(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }

    static Reason ofNumber(int number) {
      for (Reason reason : values()) {
        if (reason.number == number) {
          return reason;
        }
      }
      throw new IllegalArgumentException("there is no reason " + number);
    }
  }
}
