package io.testudo.quorum.netty;

import io.netty.channel.EventLoopGroup;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The threads of servers; several servers of one process may share them. */
public final class ServerLoops implements AutoCloseable {
  private final EventLoopGroup group;
  private final Set<NettyServer> servers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private ServerLoops(int threads) {
    this.group = Loops.start("testudo-server", threads, this::threadEnded);
  }

  /** So many threads. With one, a request is read, handled and answered without changing it. */
  public static ServerLoops start(int threads) {
    return new ServerLoops(threads);
  }

  EventLoopGroup group() {
    return group;
  }

  /** This server ends if one of the threads does. */
  void carry(NettyServer server) {
    servers.add(server);
  }

  void drop(NettyServer server) {
    servers.remove(server);
  }

  private void threadEnded() {
    if (!closed) {
      servers.forEach(server -> server.end(new IllegalStateException("an event loop ended")));
    }
  }

  /** Ends the threads; the servers on them are closed before. */
  @Override
  public void close() {
    closed = true;
    Loops.end(group);
  }
}
