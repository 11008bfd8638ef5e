package io.testudo.quorum.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import io.testudo.quorum.channel.ChannelException;
import io.testudo.quorum.channel.Handshake;
import io.testudo.quorum.channel.Progress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Lets both ends show who they are before anything else is read; short frames, and not for long.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
final class HandshakeHandler extends SimpleChannelInboundHandler<ByteBuf> {
  /** Makes the handshake of a connection; with TLS its certificates are checked by then. */
  interface Starter {
    Handshake start(Channel channel) throws SSLException;
  }

  /** What happens when both ends are known. It replaces this handler by a {@link Link}. */
  interface Established {
    void established(Channel channel, Progress last);
  }

  private final Starter starter;
  private final boolean initiates;
  private final LinkLimits limits;
  private final LinkCounters counters;
  private final Established established;
  private final Consumer<Throwable> whenFailed;
  private @Nullable Handshake handshake;
  private @Nullable Future<?> timeout;

  /**
   * Makes the handler of one connection.
   *
   * @param starter makes the handshake when it begins
   * @param initiates whether this end speaks first
   * @param whenFailed hears of errors of our own
   */
  HandshakeHandler(
      Starter starter,
      boolean initiates,
      LinkLimits limits,
      LinkCounters counters,
      Established established,
      Consumer<Throwable> whenFailed) {
    this.starter = starter;
    this.initiates = initiates;
    this.limits = limits;
    this.counters = counters;
    this.established = established;
    this.whenFailed = whenFailed;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    Channel channel = context.channel();
    timeout =
        channel
            .eventLoop()
            .schedule(
                Loops.guarded(
                    () -> refuse(channel, Refusals.HANDSHAKE_TIMEOUT, "it did not show who it is"),
                    whenFailed),
                limits.handshakeMillis(),
                TimeUnit.MILLISECONDS);
    if (channel.isActive()) {
      beginWithoutTls(channel);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    beginWithoutTls(context.channel());
  }

  private void beginWithoutTls(Channel channel) {
    if (channel.pipeline().get(SslHandler.class) == null) {
      begin(channel);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent tls && tls.isSuccess()) {
      begin(context.channel());
    }
    context.fireUserEventTriggered(event);
  }

  private void begin(Channel channel) {
    if (initiates) {
      try {
        send(channel, handshake(channel).begin());
      } catch (SSLException e) {
        refuse(channel, Refusals.kind(e), String.valueOf(e.getMessage()));
      }
    }
  }

  private Handshake handshake(Channel channel) throws SSLException {
    Handshake present = handshake;
    if (present == null) {
      present = starter.start(channel);
      handshake = present;
    }
    return present;
  }

  private static void send(Channel channel, byte[] frame) {
    if (frame.length > 0) {
      ByteBuf buffer = channel.alloc().ioBuffer(Integer.BYTES + frame.length);
      channel.writeAndFlush(buffer.writeInt(frame.length).writeBytes(frame));
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
    byte[] frame = new byte[bytes.readableBytes()];
    bytes.readBytes(frame);
    try {
      Progress progress = handshake(context.channel()).receive(frame);
      send(context.channel(), progress.reply());
      if (progress.guard() != null) {
        cancelTimeout();
        established.established(context.channel(), progress);
      }
    } catch (ChannelException | SSLException e) {
      refuse(context.channel(), Refusals.kind(e), String.valueOf(e.getMessage()));
    }
  }

  private void refuse(Channel channel, String kind, String detail) {
    counters.count(kind, Refusals.address(channel), detail);
    Refusals.close(channel, kind, detail);
  }

  private void cancelTimeout() {
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  /** {@inheritDoc} A connection that never came about becomes inactive without a word. */
  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    cancelTimeout();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    cancelTimeout();
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error) {
      whenFailed.accept(cause);
    }
    refuse(context.channel(), Refusals.kind(cause), String.valueOf(cause.getMessage()));
  }
}
