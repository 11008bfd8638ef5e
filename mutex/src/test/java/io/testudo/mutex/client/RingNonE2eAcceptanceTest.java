package io.testudo.mutex.client;

/** non-e2e on a ring of processes. */
class RingNonE2eAcceptanceTest extends ProcessRingAcceptance {
  RingNonE2eAcceptanceTest() {
    super("non-e2e");
  }

  @Override
  boolean isFenced() {
    return false;
  }
}
