package io.testudo.mutex.client;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * zone on a real ring of ten members, one for all tests: members that come get no vote until a
 * longest lease has passed.
 */
class RingZoneAcceptanceTest extends LockAcceptance {
  private static LockRing ring;

  @BeforeAll
  static void startAll() {
    ring = LockRing.start(10, "zone");
  }

  @AfterAll
  static void endAll() {
    ring.close();
  }

  @Override
  Servers newCluster() {
    return ring.forOneTest();
  }

  @Override
  boolean isFenced() {
    return false;
  }
}
