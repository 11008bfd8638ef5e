package io.testudo.quorum.netty;

import io.netty.channel.EventLoopGroup;

/** The threads of servers; several servers of one process may share them. */
public final class ServerLoops implements AutoCloseable {
  private final EventLoopGroup group;

  private ServerLoops(EventLoopGroup group) {
    this.group = group;
  }

  /** So many threads. With one, a request is read, handled and answered without changing it. */
  public static ServerLoops start(int threads) {
    return new ServerLoops(Loops.start("testudo-server", threads));
  }

  EventLoopGroup group() {
    return group;
  }

  /** Ends the threads; the servers on them are closed before. */
  @Override
  public void close() {
    Loops.end(group);
  }
}
