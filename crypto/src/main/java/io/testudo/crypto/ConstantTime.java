package io.testudo.crypto;

import java.security.MessageDigest;

/** Looks at secret bytes in a time that tells nothing of their values, only of their lengths. */
final class ConstantTime {
  private ConstantTime() {}

  static boolean equal(byte[] left, byte[] right) {
    return MessageDigest.isEqual(left, right);
  }

  static boolean allZero(byte[] bytes) {
    int seen = 0;
    for (byte b : bytes) {
      seen |= b;
    }
    return seen == 0;
  }
}
