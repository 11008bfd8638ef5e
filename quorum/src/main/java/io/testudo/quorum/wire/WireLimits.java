package io.testudo.quorum.wire;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The maxima of a frame.
 *
 * @param frameBytes the longest frame
 * @param messagesPerFrame the most messages in one
 */
public record WireLimits(int frameBytes, int messagesPerFrame) {
  /** Between peers that know each other. */
  public static final WireLimits AUTHENTICATED = new WireLimits(4 << 20, 4_096);

  /** Before a peer has shown who it is. */
  public static final WireLimits STRANGER = new WireLimits(1 << 10, 1);

  public WireLimits {
    checkArgument(frameBytes > 0 && messagesPerFrame > 0, "limits must be positive");
  }
}
