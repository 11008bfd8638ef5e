package io.testudo.quorum.channel;

import io.testudo.quorum.channel.ChannelException.Reason;
import java.nio.ByteBuffer;

/** Adds nothing to a frame and lets every frame pass. */
enum NoGuard implements FrameGuard {
  INSTANCE;

  private static final byte[] NOTHING = {};

  @Override
  public int overhead() {
    return 0;
  }

  @Override
  public byte[] seal(ByteBuffer... frame) {
    return NOTHING;
  }

  @Override
  public void open(ByteBuffer frame, byte[] mac) throws ChannelException {
    if (mac.length != 0) {
      throw new ChannelException(
          Reason.MALFORMED, "A frame carries a code where none is used; use one security mode.");
    }
  }
}
