package io.testudo.quorum.channel;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException.Reason;
import io.testudo.quorum.cluster.ClusterNames;
import io.testudo.quorum.cluster.KeyEpochs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The first message of a client, in every mode: whom it wants to reach and who it is.
 *
 * <p>The modes differ in what they leave out: with tls the certificate names the principal, and
 * only hmac needs a nonce.
 *
 * @param epochs of the keys that the client has
 */
record Hello(String cluster, ServerId server, String principal, long session, KeyEpochs epochs) {

  /** Refuses names that can't be sent. */
  Hello {
    ClusterNames.check(cluster);
    principal = new PeerClient(principal, session).principal();
  }

  PeerClient peer() {
    return new PeerClient(principal, session);
  }

  byte[] encode(MessageKind kind, byte[] nonce) {
    byte[] clusterBytes = cluster.getBytes(StandardCharsets.US_ASCII);
    byte[] principalBytes =
        namesPrincipal(kind) ? principal.getBytes(StandardCharsets.US_ASCII) : new byte[0];
    int length =
        3
            + Long.BYTES
            + 3 * Integer.BYTES
            + 2
            + clusterBytes.length
            + principalBytes.length
            + nonce.length;
    return ByteBuffer.allocate(length)
        .put(kind.number())
        .put(MessageReader.VERSION)
        .put((byte) server.index())
        .putLong(session)
        .putInt(epochs.submit())
        .putInt(epochs.order())
        .putInt(epochs.lock())
        .put((byte) clusterBytes.length)
        .put(clusterBytes)
        .put((byte) principalBytes.length)
        .put(principalBytes)
        .put(nonce)
        .array();
  }

  /**
   * @param certified the principal where the message names none
   */
  static Hello decode(MessageReader reader, MessageKind kind, int nonceBytes, String certified)
      throws ChannelException {
    ServerId server = reader.server();
    long session = reader.eightBytes();
    int submit = reader.fourBytes();
    int order = reader.fourBytes();
    int lock = reader.fourBytes();
    String cluster = reader.text();
    String stated = reader.text();
    reader.take(nonceBytes);
    reader.requireEnd();
    if (!namesPrincipal(kind) && !stated.isEmpty()) {
      throw MessageReader.malformed();
    }
    try {
      String principal = namesPrincipal(kind) ? stated : certified;
      return new Hello(cluster, server, principal, session, new KeyEpochs(submit, order, lock));
    } catch (IllegalArgumentException e) {
      throw MessageReader.malformed();
    }
  }

  /** Refuses a client that looks for another server than this one. */
  void requireAddressedTo(String ownCluster, ServerId ownServer) throws ChannelException {
    if (!cluster.equals(ownCluster)) {
      throw new ChannelException(
          Reason.WRONG_CLUSTER,
          "A client looks for cluster %s, this server is of %s; correct the client's addresses."
              .formatted(cluster, ownCluster));
    }
    if (!server.equals(ownServer)) {
      throw new ChannelException(
          Reason.WRONG_SERVER,
          "A client looks for %s, this server is %s; correct the addresses in the cluster file."
              .formatted(server, ownServer));
    }
  }

  private static boolean namesPrincipal(MessageKind kind) {
    return kind != MessageKind.TLS_HELLO;
  }
}
