package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.StateRecord;

/** On disk: no grant lasts longer than this, on this server's clock. */
public record LongestLease(long nanos) implements StateRecord {
  public LongestLease {
    checkArgument(nanos > 0, "a lease of %s ns is none", nanos);
  }
}
