package io.testudo.quorum.netty;

import io.netty.channel.EventLoopGroup;

/** Threads that several clients of one process share; each client lives on one of them. */
public final class ClientLoops implements AutoCloseable {
  private final EventLoopGroup group;

  private ClientLoops(EventLoopGroup group) {
    this.group = group;
  }

  /** So many threads. More clients than cores gain nothing by a thread each. */
  public static ClientLoops start(int threads) {
    return new ClientLoops(Loops.start("testudo-client", threads, () -> {}));
  }

  EventLoopGroup group() {
    return group;
  }

  /** Ends the threads; the clients on them are closed before. */
  @Override
  public void close() {
    Loops.end(group);
  }
}
