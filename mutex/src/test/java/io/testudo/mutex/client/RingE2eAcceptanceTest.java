package io.testudo.mutex.client;

/** e2e on a ring of processes. */
class RingE2eAcceptanceTest extends ProcessRingAcceptance {
  RingE2eAcceptanceTest() {
    super("e2e");
  }

  @Override
  boolean isFenced() {
    return false;
  }
}
