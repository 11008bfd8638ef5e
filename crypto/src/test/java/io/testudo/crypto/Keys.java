package io.testudo.crypto;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Keys and bytes that tests share. */
final class Keys {
  private Keys() {}

  /** A secret of 32 bytes that count up from {@code first}. */
  static SecretBytes secret(int first) {
    return SecretBytes.copyOf(countingUp(first, 32));
  }

  static SigningKey signingKey(int first) {
    return SigningKey.fromSeed(secret(first));
  }

  static byte[] countingUp(int first, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  static byte[] repeated(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  static byte[] withBitFlipped(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8] ^= (byte) (1 << (bit % 8));
    return flipped;
  }
}
