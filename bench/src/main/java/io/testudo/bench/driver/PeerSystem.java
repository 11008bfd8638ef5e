package io.testudo.bench.driver;

import java.io.IOException;

/** A system whose servers run. Closing it ends them. */
public interface PeerSystem extends AutoCloseable {
  /** What was started, for people: names and versions. */
  String version();

  /**
   * Connects a client that did not exist before.
   *
   * @param index how many there were
   */
  PeerConnection connect(int index) throws Exception;

  /**
   * Whether one of its servers lies from now on, if it has one that can.
   *
   * @see ServerHarm#LIE
   */
  default void lie(boolean lies) throws IOException {
    throw new UnsupportedOperationException("no server of this system can lie");
  }

  /** Ends the servers; all clients are closed by then. */
  @Override
  void close() throws IOException;

  /** Starts the servers. */
  interface Starter {
    /**
     * Returns when clients can connect.
     *
     * @param servers starts processes, and ends them with this one
     */
    PeerSystem start(PeerServers servers) throws Exception;
  }
}
