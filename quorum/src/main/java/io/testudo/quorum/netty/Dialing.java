package io.testudo.quorum.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.Handshake;
import io.testudo.quorum.channel.Progress;
import io.testudo.quorum.wire.FrameCodec;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** Connects to a server, and lets both ends show who they are. */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
final class Dialing {
  private final EventLoop loop;
  private final ServerId server;
  private final long session;
  private final LinkLimits limits;
  private final FrameCodec codec;
  private final LinkCounters counters;

  /**
   * Of one client.
   *
   * @param server whom the other end has to be
   */
  Dialing(
      EventLoop loop,
      ServerId server,
      long session,
      LinkLimits limits,
      FrameCodec codec,
      LinkCounters counters) {
    this.loop = loop;
    this.server = server;
    this.session = session;
    this.limits = limits;
    this.codec = codec;
    this.counters = counters;
  }

  /**
   * Begins to connect. The channel of what it returns closes if nothing comes of it.
   *
   * @param credentials by which the client shows who it is
   * @param receiver of what the server says
   * @param whenEstablished is given the connection when both ends are known
   */
  ChannelFuture connect(
      ClientCredentials credentials,
      InetSocketAddress target,
      Link.Receiver receiver,
      Consumer<Link> whenEstablished) {
    return new Bootstrap()
        .group(loop)
        .channel(Loops.channel())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) limits.handshakeMillis())
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                prepare(channel, credentials, receiver, whenEstablished);
              }
            })
        .connect(target);
  }

  private void prepare(
      Channel channel,
      ClientCredentials credentials,
      Link.Receiver receiver,
      Consumer<Link> whenEstablished) {
    ChannelPipeline pipeline = channel.pipeline();
    if (credentials.tls() != null) {
      pipeline.addLast(credentials.tls().newHandler(channel.alloc()));
    }
    FrameSplitter splitter = new FrameSplitter(Handshake.MAX_MESSAGE_BYTES);
    pipeline.addLast(splitter);
    pipeline.addLast(
        new HandshakeHandler(
            begun -> credentials.begin(begun, server, session),
            /* initiates= */ true,
            limits,
            counters,
            (peerChannel, progress) ->
                whenEstablished.accept(established(peerChannel, splitter, progress, receiver)),
            failed -> channel.close()));
  }

  private Link established(
      Channel channel, FrameSplitter splitter, Progress progress, Link.Receiver receiver) {
    if (progress.guard() == null) {
      throw new IllegalStateException("a handshake ended without a guard");
    }
    Link made = new Link(channel, progress.guard(), codec, limits, counters, receiver);
    splitter.allow(limits.frames().frameBytes() + progress.guard().overhead());
    channel.pipeline().addLast(new Upkeep(made, splitter, limits), made);
    channel.pipeline().remove(HandshakeHandler.class);
    return made;
  }
}
