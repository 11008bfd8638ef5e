package io.testudo.mutex.client;

/** non-e2e on a real ring of ten members. */
class RingNonE2eAcceptanceTest extends LockAcceptance {
  @Override
  Servers newCluster() {
    return LockRing.start(10, "non-e2e");
  }

  @Override
  boolean isFenced() {
    return false;
  }
}
