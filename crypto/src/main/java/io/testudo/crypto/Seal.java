package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A client's seal on a statement: who holds it can show that a client with the key made the
 * statement. It says nothing by itself; ask a {@link SealVerifier}.
 *
 * <p>Encoded as one byte for the scheme, 8 for the key id, and the code, or the session and the
 * signature; the scheme fixes its length.
 */
public final class Seal {
  /** The longest encoded seal, in bytes. */
  public static final int MAX_ENCODED_LENGTH = encodedLength(SealScheme.ED25519);

  private final SealScheme scheme;
  private final KeyId keyId;
  private final byte[] proof;

  Seal(SealScheme scheme, KeyId keyId, byte[] proof) {
    this.scheme = scheme;
    this.keyId = keyId;
    this.proof = proof;
  }

  /** Reads a seal as {@link #encode} writes it, nothing more and nothing less. */
  public static Seal decode(byte[] encoded) throws MalformedSealException {
    if (encoded.length == 0) {
      throw new MalformedSealException("The seal is empty; drop the message.");
    }
    ByteBuffer buffer = ByteBuffer.wrap(encoded);
    int number = Byte.toUnsignedInt(buffer.get());
    SealScheme scheme = SealScheme.ofNumber(number);
    if (scheme == null) {
      throw new MalformedSealException(
          "The seal has the unknown scheme %s; drop the message.".formatted(number));
    }
    if (encoded.length != encodedLength(scheme)) {
      throw new MalformedSealException(
          "A seal of scheme %s has %s bytes, but %s came; drop the message."
              .formatted(scheme, encodedLength(scheme), encoded.length));
    }
    KeyId keyId = new KeyId(buffer.getLong());
    byte[] proof = new byte[scheme.proofLength()];
    buffer.get(proof);
    return new Seal(scheme, keyId, proof);
  }

  /** The bytes of this seal for the wire. */
  public byte[] encode() {
    byte[] encoded = new byte[encodedLength()];
    encodeInto(encoded, 0);
    return encoded;
  }

  /** How many bytes {@link #encode} gives. */
  public int encodedLength() {
    return encodedLength(scheme);
  }

  /** Writes what {@link #encode} gives to where it is to be. */
  public void encodeInto(byte[] target, int at) {
    ByteBuffer.wrap(target, at, encodedLength())
        .put((byte) scheme.number())
        .putLong(keyId.value())
        .put(proof);
  }

  /** How it says it was made. */
  public SealScheme scheme() {
    return scheme;
  }

  /** The key it says it was made with. */
  public KeyId keyId() {
    return keyId;
  }

  /**
   * In which session its owner says to have signed; 0 for a code, which is nobody's. Who knows the
   * owner of the key can tell by it whether the session that the statement names is the owner's.
   */
  public long session() {
    return scheme == SealScheme.ED25519 ? ByteBuffer.wrap(proof).getLong() : 0;
  }

  /** The code, or session and signature, not a copy. */
  byte[] proof() {
    return proof;
  }

  /** Whether both are the same bytes, in constant time: it must not help to guess a code. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Seal seal
        && scheme == seal.scheme
        && keyId.equals(seal.keyId)
        && ConstantTime.equal(proof, seal.proof);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(proof);
  }

  /** Tells scheme and key id. */
  @Override
  public String toString() {
    return "Seal(" + scheme + ", key " + keyId + ")";
  }

  private static int encodedLength(SealScheme scheme) {
    return Byte.BYTES + KeyId.LENGTH + scheme.proofLength();
  }
}
