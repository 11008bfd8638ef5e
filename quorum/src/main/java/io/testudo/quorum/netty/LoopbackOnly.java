package io.testudo.quorum.netty;

import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps open mode on this machine, and says that it is on. */
final class LoopbackOnly {
  private static final Logger LOG = LoggerFactory.getLogger(LoopbackOnly.class);

  private LoopbackOnly() {}

  static void check(InetSocketAddress address) {
    if (address.getAddress() == null || !address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "Open mode proves nobody's identity and stays on loopback addresses, %s is none; use hmac or tls."
              .formatted(address));
    }
    LOG.warn("OPEN MODE at {}: nobody proves who they are; for tests only", address);
  }
}
