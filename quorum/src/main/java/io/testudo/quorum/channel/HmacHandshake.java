package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.cluster.ClientKeyring;
import io.testudo.quorum.cluster.ServerKeyring;
import java.security.SecureRandom;
import java.util.function.Predicate;

/**
 * The handshake of hmac mode, in three messages: the client says who it is and sends a nonce; the
 * server answers with a nonce and a proof; the client sends its proof. Both proofs, and the keys of
 * all frames after, are made under keys that depend on everything said before.
 */
public final class HmacHandshake {
  /** Bytes of each nonce. */
  static final int NONCE_BYTES = 32;

  private HmacHandshake() {}

  /** The end of a client that dials this server. */
  public static Handshake client(
      ClientKeyring keys, ServerId server, long session, SecureRandom random) {
    return new HmacClientHandshake(keys, server, session, random);
  }

  /**
   * The end of a server that takes every principal with a valid key. Whoever uses it must ask the
   * rights whether the principal is known.
   */
  public static Handshake server(ServerKeyring keys, SecureRandom random) {
    return server(keys, principal -> true, random);
  }

  /**
   * The end of a server.
   *
   * @param knows whether the cluster knows a principal; asked only after the principal has proven
   *     itself, so that a stranger can't try out names
   */
  public static Handshake server(ServerKeyring keys, Predicate<String> knows, SecureRandom random) {
    return new HmacServerHandshake(keys, knows, random);
  }

  static byte[] nonce(SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }
}
