package io.testudo.quorum.embedded;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that will come back to them. The port that the system would choose may be given
 * to any outgoing connection while its server is away, even to one that dials this very port and
 * then talks to itself. So these lie below all that systems choose from.
 */
public final class LoopbackPorts {
  private static final int FIRST = 15_000;

  /** Linux gives ports from 32768 on to outgoing connections, other systems from 49152. */
  private static final int END = 32_768;

  private static final int MAX_TRIES = 100;

  private LoopbackPorts() {}

  /** What is to listen. */
  public interface Listener {
    void bind(InetSocketAddress address) throws BindException;
  }

  /** Lets something listen on loopback; port 0 takes a free one. */
  public static InetSocketAddress bind(Listener listener, int port) throws BindException {
    for (int tries = 1; ; tries++) {
      int candidate = port == 0 ? ThreadLocalRandom.current().nextInt(FIRST, END) : port;
      try {
        InetSocketAddress address =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), candidate);
        listener.bind(address);
        return address;
      } catch (BindException e) {
        // On NIO a listener that was closed has its port until its loop has looked at the network
        // again, as it does between two tries.
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }
}
