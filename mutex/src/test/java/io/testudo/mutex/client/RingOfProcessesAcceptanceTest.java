package io.testudo.mutex.client;

/** sigma-dht on a ring of processes. */
class RingOfProcessesAcceptanceTest extends ProcessRingAcceptance {
  RingOfProcessesAcceptanceTest() {
    super("sigma-dht");
  }
}
