package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.KeyEpochs;
import java.util.function.Predicate;

/**
 * The handshake of open mode: both ends state who they are and prove nothing. For tests, on
 * loopback addresses only.
 */
public final class OpenHandshake {
  private OpenHandshake() {}

  /** The end of a client that dials this server. */
  public static Handshake client(
      String principal, long session, String cluster, ServerId server, KeyEpochs epochs) {
    return new StatedClientHandshake(
        new Hello(cluster, server, principal, session, epochs),
        MessageKind.OPEN_HELLO,
        MessageKind.OPEN_WELCOME);
  }

  /** The end of a server that takes every principal. */
  public static Handshake server(String cluster, ServerId server) {
    return server(cluster, server, principal -> true);
  }

  /**
   * The end of a server.
   *
   * @param knows whether the cluster knows a principal
   */
  public static Handshake server(String cluster, ServerId server, Predicate<String> knows) {
    return new StatedServerHandshake(
        cluster, server, "", knows, MessageKind.OPEN_HELLO, MessageKind.OPEN_WELCOME);
  }
}
