package io.testudo.quorum.netty;

import static com.google.common.base.Preconditions.checkArgument;

import io.testudo.quorum.wire.WireLimits;

/**
 * The limits of connections.
 *
 * @param frames of peers that have shown who they are
 * @param handshakeMillis in which a peer must have shown it
 * @param frameMillis in which a frame that has begun must be there whole
 * @param idleMillis after which a peer that says nothing is taken for dead
 * @param connections at most, of those who have shown who they are; and as many of those who have
 *     not
 * @param connectionsPerAddress at most, of those who have not
 * @param connectionsPerPrincipal at most
 * @param pendingMessages that may wait for one connection; more mean that the peer does not read
 * @param pendingBytes of messages that may wait for one connection; what is more is lost
 */
public record LinkLimits(
    WireLimits frames,
    long handshakeMillis,
    long frameMillis,
    long idleMillis,
    int connections,
    int connectionsPerAddress,
    int connectionsPerPrincipal,
    int pendingMessages,
    int pendingBytes) {
  public LinkLimits {
    checkArgument(
        handshakeMillis > 0 && frameMillis > 0 && idleMillis > 0, "times must be positive");
    checkArgument(
        connections > 0
            && connectionsPerAddress > 0
            && connectionsPerPrincipal > 0
            && pendingMessages > 0
            && pendingBytes >= frames.frameBytes(),
        "limits must be positive");
  }

  /** What suits most. */
  public static LinkLimits standard() {
    return new LinkLimits(
        WireLimits.AUTHENTICATED, 5_000, 10_000, 60_000, 10_000, 1_024, 1_024, 65_536, 32 << 20);
  }

  /** The same with other times. */
  public LinkLimits withTimes(long handshake, long frame, long idle) {
    return new LinkLimits(
        frames,
        handshake,
        frame,
        idle,
        connections,
        connectionsPerAddress,
        connectionsPerPrincipal,
        pendingMessages,
        pendingBytes);
  }

  /** The same with other numbers of connections. */
  public LinkLimits withConnections(int all, int perAddress, int perPrincipal) {
    return new LinkLimits(
        frames,
        handshakeMillis,
        frameMillis,
        idleMillis,
        all,
        perAddress,
        perPrincipal,
        pendingMessages,
        pendingBytes);
  }
}
