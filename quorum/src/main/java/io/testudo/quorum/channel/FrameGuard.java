package io.testudo.quorum.channel;

import java.nio.ByteBuffer;

/**
 * Protects the frames of one established connection, in both directions. Frames are numbered from
 * zero in each direction; both ends count and no number is sent. Not thread-safe.
 */
public interface FrameGuard {
  /** How many bytes follow each frame. */
  int overhead();

  /**
   * The bytes that must follow the next outgoing frame, which consists of these ranges joined.
   * Leaves the positions of the buffers alone.
   */
  byte[] seal(ByteBuffer... frame);

  /**
   * Checks the next incoming frame. Once one failed, all fail: what follows a gap can't be trusted.
   * Leaves the position of the buffer alone.
   *
   * @param mac the bytes that followed the frame
   */
  void open(ByteBuffer frame, byte[] mac) throws ChannelException;

  /** For connections that are protected by other means or, in open mode, not at all. */
  static FrameGuard none() {
    return NoGuard.INSTANCE;
  }
}
