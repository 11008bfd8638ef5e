package io.testudo.quorum.channel;

import io.testudo.crypto.Hmac;
import io.testudo.crypto.Kdf;
import io.testudo.crypto.SecretBytes;

/**
 * The keys of one connection: children of the key that client and server share, named by the hello
 * as it was sent and by the server's nonce.
 *
 * <p>So whatever differs between two connections, or in what the two ends believe of one, gives
 * other keys: cluster, version, server, principal, session and both nonces. Each use has a key of
 * its own: the proof of one role is worthless in the other, and so is a frame of one direction.
 */
final class SessionKeys {
  /** A proof is the code of nothing: its key belongs to this one connection and role. */
  private static final byte[] NOTHING = {};

  private final Hmac serverProof;
  private final Hmac clientProof;
  private final Hmac toServer;
  private final Hmac toClient;

  SessionKeys(SecretBytes shared, byte[] hello, byte[] serverNonce) {
    try (SecretBytes session = Kdf.derive(shared, "testudo-channel-v1", hello, serverNonce)) {
      serverProof = child(session, "server-proof");
      clientProof = child(session, "client-proof");
      toServer = child(session, "frames-to-server");
      toClient = child(session, "frames-to-client");
    }
  }

  private static Hmac child(SecretBytes session, String label) {
    try (SecretBytes key = Kdf.derive(session, label)) {
      return Hmac.under(key);
    }
  }

  /** Shows that the server has the shared key. */
  byte[] proveServer() {
    return serverProof.mac(NOTHING);
  }

  boolean isServerProof(byte[] proof) {
    return serverProof.verify(proof, NOTHING);
  }

  /** Shows that the client has the shared key. */
  byte[] proveClient() {
    return clientProof.mac(NOTHING);
  }

  boolean isClientProof(byte[] proof) {
    return clientProof.verify(proof, NOTHING);
  }

  FrameGuard serverGuard() {
    return new HmacFrameGuard(toClient, toServer);
  }

  FrameGuard clientGuard() {
    return new HmacFrameGuard(toServer, toClient);
  }
}
