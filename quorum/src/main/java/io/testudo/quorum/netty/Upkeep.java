package io.testudo.quorum.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches over an established connection: ends one that is silent or dribbles, and keeps ours up.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What goes wrong reaches the channel's handlers.
final class Upkeep extends ChannelDuplexHandler {
  private static final int CHECKS_PER_IDLE_TIME = 4;

  private final Link link;
  private final FrameSplitter splitter;
  private final LinkLimits limits;
  private long lastReadNanos = System.nanoTime();
  private @Nullable Future<?> checks;

  Upkeep(Link link, FrameSplitter splitter, LinkLimits limits) {
    this.link = link;
    this.splitter = splitter;
    this.limits = limits;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    long everyMillis =
        Math.max(1, Math.min(limits.frameMillis(), limits.idleMillis()) / CHECKS_PER_IDLE_TIME);
    checks =
        context
            .channel()
            .eventLoop()
            .scheduleAtFixedRate(
                Loops.guarded(this::check, link::failed),
                everyMillis,
                everyMillis,
                TimeUnit.MILLISECONDS);
  }

  private void check() {
    long now = System.nanoTime();
    if (splitter.isStuckSince(now - TimeUnit.MILLISECONDS.toNanos(limits.frameMillis()))) {
      link.refuse(Refusals.SLOW_FRAME, "a frame takes too long");
    } else if (now - lastReadNanos > TimeUnit.MILLISECONDS.toNanos(limits.idleMillis())) {
      link.refuse(Refusals.IDLE, "nothing came for too long");
    } else {
      link.keepAlive();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    lastReadNanos = System.nanoTime();
    super.channelRead(context, message);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    stop();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    stop();
    super.channelInactive(context);
  }

  private void stop() {
    if (checks != null) {
      checks.cancel(false);
    }
  }
}
