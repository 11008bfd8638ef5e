package io.testudo.quorum.netty;

import com.google.common.collect.ImmutableList;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out where a host is, before each round of tries to connect to it. */
@FunctionalInterface
public interface HostResolver {
  /**
   * Where a host is now. Called on a thread where it may block; addresses of IP are not looked up.
   *
   * @return the addresses to try in turn, at least one
   */
  List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException;

  /** As the system answers; the virtual machine remembers that for a while. */
  static HostResolver ofSystem() {
    return (host, port) -> {
      ImmutableList.Builder<InetSocketAddress> found = ImmutableList.builder();
      for (InetAddress address : InetAddress.getAllByName(host)) {
        found.add(new InetSocketAddress(address, port));
      }
      return found.build();
    };
  }

  /** Says so if the virtual machine remembers for ever what it once looked up. */
  static void warnIfRememberedForEver() {
    String seconds = Security.getProperty(SystemAnswers.SECONDS);
    if (seconds != null && seconds.trim().startsWith("-")) {
      SystemAnswers.LOG.warn(
          "{} is {}: this process never learns that a server has moved; set it to 30, say",
          SystemAnswers.SECONDS,
          seconds);
    }
  }

  /** How long answers of the system are remembered. */
  final class SystemAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(HostResolver.class);
    private static final String SECONDS = "networkaddress.cache.ttl";

    private SystemAnswers() {}
  }
}
