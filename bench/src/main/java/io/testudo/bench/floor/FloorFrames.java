package io.testudo.bench.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.CorruptedFrameException;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the stream into messages: a length, then 64 bytes, of which the first say whose operation it
 * is. All messages of one read are handled before {@link #readEnds}, so that what they cause can be
 * written at once.
 */
abstract class FloorFrames extends ChannelInboundHandlerAdapter {
  static final int MESSAGE_BYTES = 64;
  static final int FRAME_BYTES = Integer.BYTES + MESSAGE_BYTES;

  private static final int PADDING_BYTES = MESSAGE_BYTES - Integer.BYTES - Long.BYTES;

  /** The begin of a frame whose end has not come yet. */
  private @Nullable ByteBuf rest;

  /** Handles the message from the reader index on, and reads all of it. */
  abstract void onMessage(ByteBuf message);

  /** All messages that have arrived by now were handled. */
  abstract void readEnds(ChannelHandlerContext context);

  static void write(ByteBuf out, int client, long sequence) {
    out.writeInt(MESSAGE_BYTES);
    out.writeInt(client);
    out.writeLong(sequence);
    out.writeZero(PADDING_BYTES);
  }

  static void skipPadding(ByteBuf message) {
    message.skipBytes(PADDING_BYTES);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object read) {
    ByteBuf in = (ByteBuf) read;
    ByteBuf joined = rest;
    rest = null;
    if (joined != null) {
      joined.writeBytes(in);
      in.release();
      in = joined;
    }
    try {
      while (in.readableBytes() >= FRAME_BYTES) {
        int length = in.readInt();
        if (length != MESSAGE_BYTES) {
          throw new CorruptedFrameException("a message of " + length + " bytes on the floor");
        }
        onMessage(in);
      }
      if (in.isReadable()) {
        // At most one frame less a byte, and room for what the next read brings.
        rest = context.alloc().buffer(in.readableBytes()).writeBytes(in);
      }
    } finally {
      in.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    readEnds(context);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (rest != null) {
      rest.release();
      rest = null;
    }
  }
}
