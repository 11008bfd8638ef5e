package io.testudo.quorum.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.List;

/**
 * Cuts the stream into frames: a length of four bytes, then so many bytes. A length above the limit
 * ends the connection before anything is kept for it.
 */
final class FrameSplitter extends ByteToMessageDecoder {
  private int maxBytes;
  private long begunNanos;
  private boolean inFrame;

  FrameSplitter(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Lets longer frames through, once the peer is known. */
  void allow(int bytes) {
    maxBytes = bytes;
  }

  /** Whether a frame has begun, and not ended, before this moment. */
  boolean isStuckSince(long nanos) {
    return inFrame && begunNanos - nanos < 0;
  }

  /** A record of a TLS handshake, or an alert, in the place of a length. */
  private static boolean looksLikeTls(int length) {
    int kind = length >>> 24;
    return (kind == 0x16 || kind == 0x15) && (length >>> 16 & 0xff) == 3;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    boolean complete = false;
    if (in.readableBytes() >= Integer.BYTES) {
      int length = in.getInt(in.readerIndex());
      if (length < 0 || length > maxBytes) {
        in.skipBytes(in.readableBytes());
        throw new TooLongFrameException(
            looksLikeTls(length)
                ? "it speaks tls, and this end does not; see 'security' in the cluster file"
                : Integer.toUnsignedString(length)
                    + " bytes were announced, "
                    + maxBytes
                    + " allowed");
      }
      complete = in.readableBytes() - Integer.BYTES >= length;
      if (complete) {
        in.skipBytes(Integer.BYTES);
        out.add(in.readRetainedSlice(length));
      }
    }
    if (complete) {
      inFrame = false;
    } else if (!inFrame && in.isReadable()) {
      inFrame = true;
      begunNanos = System.nanoTime();
    }
  }
}
