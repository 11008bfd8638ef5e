package io.testudo.mutex.client;

/** sigma-dht on a real ring of ten members. */
class RingSigmaAcceptanceTest extends LockAcceptance {
  @Override
  Servers newCluster() {
    return LockRing.start(10, "sigma-dht");
  }
}
