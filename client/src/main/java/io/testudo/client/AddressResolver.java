package io.testudo.client;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds out where a server is. It is asked before the first connection to a server and whenever
 * that was lost; addresses of IP are not looked up.
 */
@FunctionalInterface
public interface AddressResolver {
  /**
   * Where a host is now. Called on a thread where it may block.
   *
   * @param host as the cluster file names it
   * @param port likewise
   * @return the addresses to try in turn, of which up to 16 count
   * @throws UnknownHostException if nobody knows; it is asked again after a while
   */
  List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException;
}
