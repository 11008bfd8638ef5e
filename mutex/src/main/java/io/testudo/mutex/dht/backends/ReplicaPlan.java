package io.testudo.mutex.dht.backends;

import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.sigma.SigmaProtocol;
import io.testudo.quorum.Thresholds;
import java.time.Duration;

/**
 * What all nodes of a ring agree on.
 *
 * @param thresholds how many of the logical replicas of a lock must vote for its holder
 * @param timing of leases
 */
public record ReplicaPlan(Thresholds thresholds, LockTiming timing) {
  /** So many replicas of which so many must vote; no server lies. */
  public static ReplicaPlan of(int replicas, int votes, LockTiming timing) {
    return new ReplicaPlan(
        SigmaProtocol.CRASHES.thresholds(
            replicas, SigmaProtocol.CRASHES.mostFaults(replicas, votes), votes),
        timing);
  }

  public ReplicaPlan withMaxHold(Duration longest) {
    return new ReplicaPlan(thresholds, timing.withMaxHold(longest));
  }

  /** How many replicas may be reset during a hold. */
  public int resetsBorne() {
    return thresholds.shared() - 1;
  }
}
