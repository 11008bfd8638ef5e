package io.testudo.quorum.channel;

import io.testudo.crypto.Hmac;
import io.testudo.crypto.SecretBytes;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.channel.ChannelException.Reason;
import io.testudo.quorum.cluster.ClientKeyring;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** The client's end of hmac mode. */
final class HmacClientHandshake implements Handshake {
  private final SecretBytes shared;
  private final ServerId server;
  private final byte[] hello;
  private final Turns turns = new Turns();

  HmacClientHandshake(ClientKeyring keys, ServerId server, long session, SecureRandom random) {
    this.shared = keys.keyFor(server);
    this.server = server;
    this.hello =
        new Hello(keys.cluster(), server, keys.principal(), session, keys.epochs())
            .encode(MessageKind.HMAC_HELLO, HmacHandshake.nonce(random));
  }

  @Override
  public byte[] begin() {
    return hello.clone();
  }

  @Override
  public Progress receive(byte[] message) throws ChannelException {
    turns.take();
    MessageReader reader = new MessageReader(message, MessageKind.HMAC_CHALLENGE);
    byte[] serverNonce = reader.take(HmacHandshake.NONCE_BYTES);
    byte[] proof = reader.take(Hmac.LENGTH);
    reader.requireEnd();
    SessionKeys keys = new SessionKeys(shared, hello, serverNonce);
    if (!keys.isServerProof(proof)) {
      throw new ChannelException(
          Reason.BAD_MAC,
          "The peer did not prove to be %s; check its address and both key files."
              .formatted(server));
    }
    byte[] reply =
        ByteBuffer.allocate(2 + Hmac.LENGTH)
            .put(MessageKind.HMAC_PROOF.number())
            .put(MessageReader.VERSION)
            .put(keys.proveClient())
            .array();
    return Progress.clientEstablished(reply, keys.clientGuard());
  }
}
