package io.testudo.mutex.client;

/** e2e on a real ring of ten members. */
class RingE2eAcceptanceTest extends LockAcceptance {
  @Override
  Servers newCluster() {
    return LockRing.start(10, "e2e");
  }

  @Override
  boolean isFenced() {
    return false;
  }
}
