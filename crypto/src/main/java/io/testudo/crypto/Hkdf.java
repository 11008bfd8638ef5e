package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** HKDF with SHA-256: extract (RFC 5869, section 2.2) and expand (section 2.3). */
final class Hkdf {
  /** The longest output, in bytes: the block counter is one byte. */
  static final int MAX_OUTPUT_BYTES = 255 * Hmac.LENGTH;

  private Hkdf() {}

  /** Makes a uniformly random key out of key material. An absent salt is written as 32 zeros. */
  static byte[] extract(byte[] salt, byte[] keyMaterial) {
    return Hmac.underRaw(salt).mac(keyMaterial);
  }

  /** Stretches an extracted key into {@code length} bytes for the use that {@code info} names. */
  static byte[] expand(byte[] extracted, byte[] info, int length) {
    if (length < 1 || length > MAX_OUTPUT_BYTES) {
      throw new IllegalArgumentException(
          "HKDF can't give %s bytes; ask for 1 to %s.".formatted(length, MAX_OUTPUT_BYTES));
    }
    Hmac hmac = Hmac.underRaw(extracted);
    byte[] output = new byte[length];
    byte[] block = new byte[0];
    int filled = 0;
    for (int counter = 1; filled < length; counter++) {
      byte[] next =
          hmac.mac(
              ByteBuffer.wrap(block),
              ByteBuffer.wrap(info),
              ByteBuffer.wrap(new byte[] {(byte) counter}));
      Arrays.fill(block, (byte) 0);
      block = next;
      int taken = Math.min(block.length, length - filled);
      System.arraycopy(block, 0, output, filled, taken);
      filled += taken;
    }
    Arrays.fill(block, (byte) 0);
    return output;
  }
}
