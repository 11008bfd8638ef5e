package io.testudo.quorum.netty;

import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.FrameCodec;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way. It is encoded when the first frame needs it, and only once, however many
 * servers it goes to. All of them are on one loop.
 */
final class Outgoing {
  private final Envelope envelope;
  private byte @Nullable [] bytes;

  Outgoing(Envelope envelope) {
    this.envelope = envelope;
  }

  boolean isOf(long handle, Object message) {
    return envelope.message() == message && envelope.handle() == handle;
  }

  /** Nobody changes them. */
  byte[] bytes(FrameCodec codec) {
    byte[] made = bytes;
    if (made == null) {
      made = codec.encodeMessage(envelope);
      bytes = made;
    }
    return made;
  }
}
