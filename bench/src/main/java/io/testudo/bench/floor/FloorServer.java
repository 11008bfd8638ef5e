package io.testudo.bench.floor;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.testudo.node.log.Logging;
import io.testudo.quorum.embedded.ChildMain;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Servers that echo every message, all in this process on free ports of loopback. */
final class FloorServer implements ChildMain.Servers {
  private static final int MAX_BACKLOG = 1_024;

  private final EventLoopGroup loops = EventLoops.single();
  private final List<Integer> ports = new ArrayList<>();
  private final ChannelGroup channels = EventLoops.channels();

  private FloorServer() {}

  /** The child process: the argument is the number of servers. */
  public static void main(String[] args) throws Exception {
    Logging.install();
    ChildMain.run(() -> start(Integer.parseInt(args[0])));
  }

  static FloorServer start(int servers) {
    FloorServer server = new FloorServer();
    try {
      for (int i = 0; i < servers; i++) {
        server.bind();
      }
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
    return server;
  }

  private void bind() {
    Channel channel =
        new ServerBootstrap()
            .group(loops)
            .channel(EventLoops.serverChannel())
            .option(ChannelOption.SO_BACKLOG, MAX_BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel connection) {
                    channels.add(connection);
                    connection.pipeline().addLast(new Echo());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
    channels.add(channel);
    ports.add(((InetSocketAddress) channel.localAddress()).getPort());
  }

  @Override
  public List<Integer> ports() {
    return List.copyOf(ports);
  }

  @Override
  public void close() {
    EventLoops.end(channels, loops);
  }

  /** Answers all messages of a read with one write. */
  private static final class Echo extends FloorFrames {
    private static final int FIRST_ANSWERS = 16;

    private @Nullable ByteBuf answers;
    private @Nullable ChannelHandlerContext connection;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      connection = context;
    }

    @Override
    void onMessage(ByteBuf message) {
      ByteBuf out = answers;
      if (out == null && connection != null) {
        out = connection.alloc().ioBuffer(FIRST_ANSWERS * FRAME_BYTES);
        answers = out;
      }
      if (out != null) {
        out.writeInt(MESSAGE_BYTES).writeBytes(message, MESSAGE_BYTES);
      }
    }

    @Override
    void readEnds(ChannelHandlerContext context) {
      ByteBuf out = answers;
      if (out != null) {
        answers = null;
        // A void promise reports to exceptionCaught.
        var unused = context.writeAndFlush(out, context.voidPromise());
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var unused = context.close();
    }
  }
}
