package io.testudo.mutex.client;

import io.testudo.mutex.protocol.LockTiming;
import java.time.Duration;

/** The backoff mutex on four servers, all of them asked. */
class BackoffAcceptanceTest extends LockAcceptance {
  static final LockTiming TIMING =
      LockTiming.standard().withRefresh(Duration.ofMillis(100)).withMaxHold(Duration.ofMillis(800));

  @Override
  LockCluster newCluster() {
    return LockCluster.start(4, 1, TIMING);
  }
}
