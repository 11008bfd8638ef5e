package io.testudo.bench.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One connection to one server, on the loop of its session. */
final class FloorConnection extends FloorFrames {
  private static final int FIRST_REQUESTS = 16;

  private final FloorSession session;
  private @Nullable Channel channel;
  private @Nullable ByteBuf requests;

  FloorConnection(FloorSession session) {
    this.session = session;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  /** Adds a request to the next flush; says whether it is the first one in it. */
  boolean append(int client, long sequence) {
    ByteBuf out = requests;
    boolean isFirst = out == null;
    if (out == null) {
      if (channel == null) {
        return false;
      }
      out = channel.alloc().ioBuffer(FIRST_REQUESTS * FRAME_BYTES);
      requests = out;
    }
    write(out, client, sequence);
    return isFirst;
  }

  void flush() {
    ByteBuf out = requests;
    requests = null;
    if (out == null || channel == null) {
      return;
    }
    // A void promise reports to exceptionCaught.
    var unused = channel.writeAndFlush(out, channel.voidPromise());
    if (!channel.isWritable() && channel.isActive()) {
      session.fail(new IOException("a server of the floor does not keep up"));
    }
  }

  @Override
  void onMessage(ByteBuf message) {
    int client = message.readInt();
    long sequence = message.readLong();
    skipPadding(message);
    session.onAnswer(client, sequence);
  }

  @Override
  void readEnds(ChannelHandlerContext context) {
    // What the answers caused is flushed by the session, for all connections at once.
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    session.fail(new IOException("a server of the floor closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    session.fail(cause);
    var unused = context.close();
  }
}
