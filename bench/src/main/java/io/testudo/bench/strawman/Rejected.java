package io.testudo.bench.strawman;

import io.testudo.mutex.lease.RefusalReason;
import io.testudo.quorum.protocol.Message;
import java.util.Optional;

/**
 * Server to client: REJECTED, you do not get the lock here.
 *
 * @param ownerSession whose lock it is, if another owns it; else 0
 * @param limit that the request is beyond; 0 if another owns the lock
 */
public record Rejected(long attempt, long number, Reason reason, long ownerSession, long limit)
    implements Message {
  /** Why; the numbers are permanent. */
  public enum Reason {
    /** Another owns it. */
    OWNED(1),
    /** The lease is longer than the limit, in nanoseconds. */
    LEASE_TOO_LONG(2),
    /** As many locks as the limit are in use. */
    TOO_MANY_LOCKS(3),
    /** The name is bound to another backend. */
    OTHER_BACKEND(4);

    private final int number;

    Reason(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }

    /** The same as what every lock protocol refuses; empty if the lock is owned. */
    Optional<RefusalReason> refusal() {
      return switch (this) {
        case OWNED -> Optional.empty();
        case LEASE_TOO_LONG -> Optional.of(RefusalReason.LEASE_TOO_LONG);
        case TOO_MANY_LOCKS -> Optional.of(RefusalReason.TOO_MANY_LOCKS);
        case OTHER_BACKEND -> Optional.of(RefusalReason.OTHER_BACKEND);
      };
    }

    static Reason of(RefusalReason refusal) {
      for (Reason reason : values()) {
        if (reason.refusal().filter(refusal::equals).isPresent()) {
          return reason;
        }
      }
      throw new IllegalArgumentException("the strawman refuses nothing because of " + refusal);
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
