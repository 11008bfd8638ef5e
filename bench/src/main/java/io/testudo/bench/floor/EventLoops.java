package io.testudo.bench.floor;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.TimeUnit;

/** One event loop: epoll where there is, else NIO. */
public final class EventLoops {
  private static final boolean EPOLL = Epoll.isAvailable();
  private static final long QUIET_MILLIS = 0;
  private static final long END_WITHIN_MILLIS = 5_000;

  private EventLoops() {}

  /** The name of the transport, for {@code MachineFacts}. */
  public static String transport() {
    return EPOLL ? "epoll" : "nio";
  }

  /**
   * One thread: on two cores the client has one and the server process the other, and a second loop
   * on either side only adds switches between threads.
   */
  static EventLoopGroup single() {
    return new MultiThreadIoEventLoopGroup(
        1, EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  static Class<? extends Channel> clientChannel() {
    return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  static Class<? extends ServerSocketChannel> serverChannel() {
    return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** For all channels of a loop, so that none is left open; also not one that is added later. */
  static ChannelGroup channels() {
    return new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  }

  /**
   * Closes the channels and ends the loop. In that order: a loop that ends while a connection
   * arrives may leave the socket behind that listens.
   */
  static void end(ChannelGroup channels, EventLoopGroup loops) {
    channels.close().awaitUninterruptibly();
    loops
        .shutdownGracefully(QUIET_MILLIS, END_WITHIN_MILLIS, TimeUnit.MILLISECONDS)
        .syncUninterruptibly();
  }
}
