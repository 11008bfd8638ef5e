package io.testudo.ordering.protocol;

import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: this server takes part.
 *
 * @param epoch of its memory
 * @param isComplete whether what it does not know has never been; if not, it lost its memory and
 *     was not brought up to date with everything yet
 */
public record Enrolled(long epoch, boolean isComplete) implements StateRecord {
  public Enrolled {
    MemoryEpoch.check(epoch);
  }

  /** Of a server that is new. */
  public static final Enrolled FOUNDER = new Enrolled(MemoryEpoch.FOUNDING, true);
}
