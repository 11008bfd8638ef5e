package io.testudo.node.web;

import com.google.common.base.Ascii;
import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * By which names a server may be asked that listens on loopback, where only this machine should
 * reach it. A page of another site can let its own name stand for 127.0.0.1 (DNS rebinding), and
 * would then read the answers as its own; but its requests have that name in them.
 */
final class HostCheck {
  private static final String HOST = "host:";
  private static final String LOCAL = "localhost";

  /** Whether any name will do, since others than this machine are to ask. */
  private final boolean any;

  /** The name that was configured. */
  private final String configured;

  private HostCheck(boolean any, String configured) {
    this.any = any;
    this.configured = configured;
  }

  /** For who listens there. */
  static HostCheck of(InetSocketAddress address) {
    return new HostCheck(
        address.getAddress() == null || !address.getAddress().isLoopbackAddress(),
        address.getHostString());
  }

  /** Whether the head of a request names no host, or only such as may be. */
  boolean allows(String head) {
    return any || hosts(head).stream().allMatch(this::isOurs);
  }

  private static List<String> hosts(String head) {
    return head.lines()
        .skip(1)
        .filter(line -> Ascii.toLowerCase(line).startsWith(HOST))
        .map(line -> line.substring(HOST.length()).strip())
        .toList();
  }

  private boolean isOurs(String hostAndPort) {
    try {
      String host = HostAndPort.fromString(hostAndPort).getHost();
      return Ascii.equalsIgnoreCase(host, LOCAL)
          || Ascii.equalsIgnoreCase(host, configured)
          || InetAddresses.isInetAddress(host);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
