package io.testudo.ordering.message;

import com.google.common.collect.ImmutableSortedSet;
import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.quorum.protocol.StateRecord;

/**
 * On disk: this server takes part.
 *
 * @param epoch of its memory
 * @param isComplete whether what it does not know has never been; if not, it lost its memory and
 *     was not told yet which names others know
 * @param doubtful names that others knew then, so that it may have forgotten them
 */
public record Enrolled(long epoch, boolean isComplete, ImmutableSortedSet<String> doubtful)
    implements StateRecord {
  public Enrolled {
    MemoryEpoch.check(epoch);
    CompleteMemory.checkNames(doubtful);
  }

  /** Of a server that is new. */
  public static final Enrolled FOUNDER =
      new Enrolled(MemoryEpoch.FOUNDING, true, ImmutableSortedSet.of());

  /** Of a server that lost its memory. */
  public static Enrolled returned(long epoch) {
    return new Enrolled(epoch, false, ImmutableSortedSet.of());
  }
}
