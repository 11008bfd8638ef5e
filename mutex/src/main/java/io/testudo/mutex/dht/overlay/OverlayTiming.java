package io.testudo.mutex.dht.overlay;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * How patient the overlay is.
 *
 * @param receiptNanos after so long without a receipt a hop is sent again
 * @param probeNanos how often neighbours are asked whether they live
 * @param missesUntilGone after so many silences in a row a member counts as gone
 */
public record OverlayTiming(long receiptNanos, long probeNanos, int missesUntilGone) {
  public OverlayTiming {
    checkArgument(receiptNanos > 0 && probeNanos > 0, "a period must be positive");
    checkArgument(missesUntilGone > 0, "a member is not gone before it was silent");
  }

  /** Receipts within 400 ms, a probe every second, gone after three silences. */
  public static OverlayTiming standard() {
    return new OverlayTiming(Duration.ofMillis(400).toNanos(), Duration.ofSeconds(1).toNanos(), 3);
  }
}
