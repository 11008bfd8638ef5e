package io.testudo.mutex.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.crypto.Seal;
import java.util.Optional;

/**
 * A rank as servers pass it on: its time, whose it is, and the seal of that client, if it has one.
 *
 * @param time on the hybrid clock of the client; 0 for none
 * @param session of the client
 */
public record SealedRank(long time, long session, Optional<Seal> seal) {
  public static final SealedRank NONE = new SealedRank(0, 0, Optional.empty());

  public SealedRank {
    checkArgument(
        time >= 0 && time <= RankClock.MAX_TIME, "the time %s of a rank is out of range", time);
  }

  public static SealedRank unsealed(long time) {
    return new SealedRank(time, 0, Optional.empty());
  }
}
