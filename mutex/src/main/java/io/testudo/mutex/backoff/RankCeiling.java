package io.testudo.mutex.backoff;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.protocol.StateRecord;

/** On disk: no rank with a time above this one was granted. Written ahead, in large steps. */
public record RankCeiling(long time) implements StateRecord {
  public RankCeiling {
    checkArgument(time > 0, "the ceiling %s is not positive", time);
  }
}
