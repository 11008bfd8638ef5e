package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes that a seal covers, the same for every scheme (docs/crypto.md has them as a table). The
 * label comes first and every part of variable length stands behind its length, so no two
 * statements give the same bytes and no boundary can be shifted.
 */
final class SealedBytes {
  private static final byte[] LABEL = "testudo-seal-v1\0".getBytes(StandardCharsets.US_ASCII);

  private SealedBytes() {}

  /** Everything before the body. */
  static byte[] header(SealScheme scheme, KeyId keyId, SealContext context, int bodyLength) {
    return write(scheme, keyId, context, bodyLength, 0).array();
  }

  /** Header and body in one piece. */
  static byte[] whole(SealScheme scheme, KeyId keyId, SealContext context, byte[] body) {
    return write(scheme, keyId, context, body.length, body.length).put(body).array();
  }

  private static ByteBuffer write(
      SealScheme scheme, KeyId keyId, SealContext context, int bodyLength, int room) {
    byte[] cluster = context.cluster().getBytes(StandardCharsets.UTF_8);
    byte[] name = context.name().getBytes(StandardCharsets.UTF_8);
    int headerLength =
        LABEL.length
            + Byte.BYTES
            + KeyId.LENGTH
            + Byte.BYTES
            + Short.BYTES
            + cluster.length
            + Short.BYTES
            + name.length
            + Integer.BYTES;
    return ByteBuffer.allocate(headerLength + room)
        .put(LABEL)
        .put((byte) scheme.number())
        .putLong(keyId.value())
        .put((byte) context.kind().number())
        .putShort((short) cluster.length)
        .put(cluster)
        .putShort((short) name.length)
        .put(name)
        .putInt(bodyLength);
  }
}
