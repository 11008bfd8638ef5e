package io.testudo.ordering.log;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.protocol.Moment;
import java.util.concurrent.TimeUnit;

/**
 * That a server's memory of an object begins with this epoch: whatever it said in an earlier one it
 * has forgotten.
 *
 * @param epoch positive; a later memory of the same server has a higher one
 */
public record MemoryEpoch(ServerId server, long epoch) {
  /** Of servers that have never lost their memory. */
  public static final long FOUNDING = 1;

  /** Below the milliseconds of a wall clock, so that no two of a server are ever equal. */
  private static final int NANO_BITS = 20;

  /** One that lies further ahead of a server's clock than this was never drawn. */
  private static final long MAX_AHEAD_MILLIS = TimeUnit.DAYS.toMillis(1);

  public MemoryEpoch {
    check(epoch);
  }

  /** Throws if no memory can have this epoch. */
  public static void check(long epoch) {
    checkArgument(epoch > 0, "the epoch %s is not positive", epoch);
  }

  /** The epoch of a server that was readmitted at this moment. */
  public static long drawnAt(Moment now) {
    return (now.wallMillis() << NANO_BITS) | (now.nanos() & ((1L << NANO_BITS) - 1));
  }

  /** Whether it can have been drawn before this moment, however clocks differ. */
  public boolean isPlausible(Moment now) {
    return epoch >> NANO_BITS <= now.wallMillis() + MAX_AHEAD_MILLIS;
  }
}
