package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.KeyEpochs;
import java.util.function.Predicate;

/**
 * What follows the handshake of TLS itself: the client tells its session and whom it looks for.
 * Both identities come from the certificates; the caller must have checked them, the client that of
 * the server it dialled.
 */
public final class TlsHello {
  private TlsHello() {}

  /** The end of a client whose certificate names this principal. */
  public static Handshake client(
      String principal, long session, String cluster, ServerId server, KeyEpochs epochs) {
    return new StatedClientHandshake(
        new Hello(cluster, server, principal, session, epochs),
        MessageKind.TLS_HELLO,
        MessageKind.TLS_WELCOME);
  }

  /** The end of a server that takes every principal with a certificate. */
  public static Handshake server(String principalFromCertificate, String cluster, ServerId server) {
    return server(principalFromCertificate, cluster, server, principal -> true);
  }

  /**
   * The end of a server.
   *
   * @param principalFromCertificate whom the client's certificate names
   * @param knows whether the cluster knows a principal
   */
  public static Handshake server(
      String principalFromCertificate, String cluster, ServerId server, Predicate<String> knows) {
    return new StatedServerHandshake(
        cluster,
        server,
        principalFromCertificate,
        knows,
        MessageKind.TLS_HELLO,
        MessageKind.TLS_WELCOME);
  }
}
