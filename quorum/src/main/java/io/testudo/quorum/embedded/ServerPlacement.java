package io.testudo.quorum.embedded;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.netty.NettyServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Where the servers of an embedded cluster run. */
interface ServerPlacement extends AutoCloseable {
  /**
   * Begins to start a server, with the journals it has left, if any.
   *
   * @param port on loopback; 0 takes a free one
   */
  PlacedServer begin(ServerId id, int port) throws IOException;

  /** Its servers are stopped before. */
  @Override
  void close();

  /** A server that was begun. */
  interface PlacedServer {
    /**
     * Waits until it listens, and tells where.
     *
     * @throws IOException if it did not start; nothing is left of it then
     */
    InetSocketAddress awaitReady() throws IOException;

    /** The server itself, if it runs in this process. */
    NettyServer server();

    /** Ends it, and waits for the end. */
    void stop();

    /** Ends it without any preparation on its side, and waits for the end. */
    void kill();
  }
}
