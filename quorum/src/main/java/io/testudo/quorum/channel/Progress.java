package io.testudo.quorum.channel;

import org.jspecify.annotations.Nullable;

/** What one message of a handshake led to. */
public final class Progress {
  private static final byte[] NOTHING = {};

  private final byte[] reply;
  private final @Nullable FrameGuard guard;
  private final @Nullable PeerClient peer;

  private Progress(byte[] reply, @Nullable FrameGuard guard, @Nullable PeerClient peer) {
    this.reply = reply.clone();
    this.guard = guard;
    this.peer = peer;
  }

  static Progress answered(byte[] reply) {
    return new Progress(reply, null, null);
  }

  static Progress clientEstablished(byte[] reply, FrameGuard guard) {
    return new Progress(reply, guard, null);
  }

  static Progress clientEstablished(FrameGuard guard) {
    return new Progress(NOTHING, guard, null);
  }

  static Progress serverEstablished(byte[] reply, FrameGuard guard, PeerClient peer) {
    return new Progress(reply, guard, peer);
  }

  static Progress serverEstablished(FrameGuard guard, PeerClient peer) {
    return new Progress(NOTHING, guard, peer);
  }

  /** What to send now, before any frame; may be empty. */
  public byte[] reply() {
    return reply.clone();
  }

  /** Protects the frames from here on; null until the handshake is established. */
  public @Nullable FrameGuard guard() {
    return guard;
  }

  /** Who the other end is; set at the server's end together with the guard. */
  public @Nullable PeerClient peer() {
    return peer;
  }
}
