package io.testudo.mutex.client;

import io.testudo.mutex.strawman.RandomRetry;
import io.testudo.mutex.strawman.StrawmanProtocol;
import java.time.Duration;

/** The strawman does all that the calls ask for, as long as few contend and no server forgets. */
class StrawmanAcceptanceTest extends LockAcceptance {
  private static final RandomRetry SHORT =
      new RandomRetry(Duration.ofMillis(5).toNanos(), Duration.ofMillis(20).toNanos());

  @Override
  LockCluster newCluster() {
    return LockCluster.start(4, 0, new StrawmanProtocol(BackoffAcceptanceTest.TIMING, SHORT));
  }
}
