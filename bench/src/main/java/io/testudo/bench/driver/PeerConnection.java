package io.testudo.bench.driver;

import java.io.IOException;

/**
 * One client object of a system, as an application would make it. One or many callers use it, each
 * with locks and counters of its own that stand for the same thing at the servers.
 */
public interface PeerConnection extends AutoCloseable {
  /** A lock for one caller, who waits in this way. */
  default PeerLock lock(String name, PeerWork.Use use) throws Exception {
    throw new UnsupportedOperationException("this system is not measured with locks");
  }

  /** A counter for one caller, who waits in this way; it begins at 0. */
  default PeerCounter counter(String name, PeerWork.Use use) throws Exception {
    throw new UnsupportedOperationException("this system is not measured with counters");
  }

  @Override
  void close() throws IOException;
}
