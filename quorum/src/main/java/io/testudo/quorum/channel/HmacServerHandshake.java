package io.testudo.quorum.channel;

import io.testudo.crypto.Hmac;
import io.testudo.crypto.SecretBytes;
import io.testudo.quorum.channel.ChannelException.Reason;
import io.testudo.quorum.cluster.ServerKeyring;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of hmac mode. It answers any principal alike, whether the cluster knows it or
 * not, with a fixed amount of work; what it proves depends on a nonce of its own, so nobody can
 * make it compute a code of their choice.
 */
final class HmacServerHandshake implements Handshake {
  private static final byte[] NOTHING = {};

  private final ServerKeyring keyring;
  private final Predicate<String> knows;
  private final SecureRandom random;
  private final Turns turns = new Turns();
  private @Nullable Challenged challenged;

  /** What is kept of a hello until the client proves itself. */
  private record Challenged(Hello hello, SessionKeys keys) {}

  HmacServerHandshake(ServerKeyring keyring, Predicate<String> knows, SecureRandom random) {
    this.keyring = keyring;
    this.knows = knows;
    this.random = random;
  }

  @Override
  public byte[] begin() {
    return NOTHING;
  }

  @Override
  public Progress receive(byte[] message) throws ChannelException {
    turns.take();
    Challenged earlier = challenged;
    return earlier == null ? challenge(message) : verify(message, earlier);
  }

  private Progress challenge(byte[] message) throws ChannelException {
    Hello hello =
        Hello.decode(
            new MessageReader(message, MessageKind.HMAC_HELLO),
            MessageKind.HMAC_HELLO,
            HmacHandshake.NONCE_BYTES,
            "");
    hello.requireAddressedTo(keyring.cluster(), keyring.server());
    byte[] nonce = HmacHandshake.nonce(random);
    SessionKeys keys;
    try (SecretBytes shared = keyring.keyOf(hello.principal(), hello.epochs())) {
      keys = new SessionKeys(shared, message, nonce);
    }
    challenged = new Challenged(hello, keys);
    turns.grant();
    byte[] reply =
        ByteBuffer.allocate(2 + nonce.length + Hmac.LENGTH)
            .put(MessageKind.HMAC_CHALLENGE.number())
            .put(MessageReader.VERSION)
            .put(nonce)
            .put(keys.proveServer())
            .array();
    return Progress.answered(reply);
  }

  private Progress verify(byte[] message, Challenged earlier) throws ChannelException {
    MessageReader reader = new MessageReader(message, MessageKind.HMAC_PROOF);
    byte[] proof = reader.take(Hmac.LENGTH);
    reader.requireEnd();
    String principal = earlier.hello().principal();
    if (!earlier.keys().isClientProof(proof)) {
      throw new ChannelException(
          Reason.BAD_MAC,
          "A client did not prove to be %s; check its key file.".formatted(principal));
    }
    Principals.requireKnown(principal, knows);
    return Progress.serverEstablished(earlier.keys().serverGuard(), earlier.hello());
  }
}
