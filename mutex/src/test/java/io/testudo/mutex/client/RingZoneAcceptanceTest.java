package io.testudo.mutex.client;

/**
 * zone on a ring of processes. Members that come have no vote until a longest lease has passed, so
 * what a test stops and what joins is missed for a while.
 */
class RingZoneAcceptanceTest extends ProcessRingAcceptance {
  RingZoneAcceptanceTest() {
    super("zone");
  }

  @Override
  boolean isFenced() {
    return false;
  }
}
