package io.testudo.quorum.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Event loops on epoll where there is, else on NIO. */
final class Loops {
  private static final boolean EPOLL = Epoll.isAvailable();

  private Loops() {}

  /**
   * Starts threads.
   *
   * @param threadEnded told whenever one of them ends, for whatever reason
   */
  static EventLoopGroup start(String name, int threads, Runnable threadEnded) {
    ThreadFactory factory = new DefaultThreadFactory(name, /* daemon= */ true);
    ThreadFactory watched =
        life ->
            factory.newThread(
                () -> {
                  try {
                    life.run();
                  } finally {
                    threadEnded.run();
                  }
                });
    return group(threads, watched);
  }

  /** By classes that Netty 4.1 has, too: applications may bring that. */
  @SuppressWarnings("deprecation")
  private static EventLoopGroup group(int threads, ThreadFactory factory) {
    return EPOLL
        ? new EpollEventLoopGroup(threads, factory)
        : new NioEventLoopGroup(threads, factory);
  }

  /** A task of a loop, which would swallow what it throws. */
  static Runnable guarded(Runnable task, Consumer<Throwable> whenFailed) {
    return () -> {
      try {
        task.run();
      } catch (Throwable e) {
        whenFailed.accept(e);
      }
    };
  }

  /** Ends them; what they still have to do is done first, but not for long. */
  static void end(EventLoopGroup loops) {
    Future<?> ended = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    for (EventExecutor loop : loops) {
      if (loop.inEventLoop()) {
        return; // It cannot wait for its own end.
      }
    }
    var unused = sync(ended);
  }

  /**
   * Waits for a future of Netty, and throws what it failed with. Its own wait is one in a monitor,
   * which would pin a virtual thread.
   */
  static <F extends Future<?>> F sync(F future) {
    CompletableFuture<Boolean> isOver = new CompletableFuture<>();
    future.addListener(done -> isOver.complete(true));
    Boolean unused = isOver.join();
    future.syncUninterruptibly(); // It is over, and says how.
    return future;
  }

  /**
   * Has a loop do something, and waits until it has; on the loop itself it is done at once. The
   * caller holds no monitor of ours: what the loop does before may need it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop has ended
   */
  static <T extends @Nullable Object> T await(EventLoop loop, Callable<T> task) {
    if (loop.inEventLoop()) {
      try {
        return task.call();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    assert !Monitors.holdsOneOfOurs() : "it waits for a loop, which may wait for a monitor of it";
    // Not by a future of the loop, whose wait is one in a monitor: it would pin a virtual thread.
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            done.complete(task.call());
          } catch (Throwable e) { // Whatever it is, somebody waits for it.
            done.completeExceptionally(e);
          }
        });
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  static Class<? extends ServerChannel> serverChannel() {
    return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  static Class<? extends Channel> channel() {
    return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
  }
}
