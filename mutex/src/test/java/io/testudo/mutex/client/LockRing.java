package io.testudo.mutex.client;

import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.ring.RingProtocol;
import io.testudo.mutex.dht.ring.RingProtocols;
import io.testudo.mutex.protocol.LockTiming;
import java.time.Duration;

/** How rings of the acceptance suite are configured. */
final class LockRing {
  /** Impatient: the loopback address is fast, and tests wait for members to be missed. */
  private static final OverlayTiming OVERLAY =
      new OverlayTiming(Duration.ofMillis(300).toNanos(), Duration.ofMillis(300).toNanos(), 4);

  /** A renewal takes several hops: on a busy machine a shorter hold would lapse before it comes. */
  private static final LockTiming TIMING =
      LockTiming.standard().withRefresh(Duration.ofMillis(300)).withMaxHold(Duration.ofSeconds(5));

  private LockRing() {}

  static RingProtocol protocol(String backend) {
    return RingProtocols.find(backend).orElseThrow().withTiming(TIMING).withOverlay(OVERLAY);
  }
}
