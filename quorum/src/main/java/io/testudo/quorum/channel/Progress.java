package io.testudo.quorum.channel;

import io.testudo.quorum.cluster.KeyEpochs;
import org.jspecify.annotations.Nullable;

/** What one message of a handshake led to. */
public final class Progress {
  private static final byte[] NOTHING = {};

  private final byte[] reply;
  private final @Nullable FrameGuard guard;
  private final @Nullable PeerClient peer;
  private final KeyEpochs epochs;

  private Progress(
      byte[] reply, @Nullable FrameGuard guard, @Nullable PeerClient peer, KeyEpochs epochs) {
    this.reply = reply.clone();
    this.guard = guard;
    this.peer = peer;
    this.epochs = epochs;
  }

  static Progress answered(byte[] reply) {
    return new Progress(reply, null, null, KeyEpochs.FIRST);
  }

  static Progress clientEstablished(byte[] reply, FrameGuard guard) {
    return new Progress(reply, guard, null, KeyEpochs.FIRST);
  }

  static Progress clientEstablished(FrameGuard guard) {
    return new Progress(NOTHING, guard, null, KeyEpochs.FIRST);
  }

  static Progress serverEstablished(byte[] reply, FrameGuard guard, Hello hello) {
    return new Progress(reply, guard, hello.peer(), hello.epochs());
  }

  static Progress serverEstablished(FrameGuard guard, Hello hello) {
    return serverEstablished(NOTHING, guard, hello);
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

  /** Of which epochs the keys of the other end are, at the server's end. */
  public KeyEpochs epochs() {
    return epochs;
  }
}
