package io.testudo.mutex.client;

import io.testudo.mutex.sigma.SigmaProtocol;

/** Sigma on four servers, of which one may forget. */
class SigmaAcceptanceTest extends LockAcceptance {
  @Override
  LockCluster newCluster() {
    return LockCluster.start(4, 0, new SigmaProtocol(BackoffAcceptanceTest.TIMING));
  }
}
