package io.testudo.crypto;

import org.jspecify.annotations.Nullable;

/** How a seal is made. The numbers are permanent. */
public enum SealScheme {
  /** A code under a key that all members of a group of clients share; only they can check it. */
  HMAC_SHA256(1, Hmac.LENGTH),
  /** A signature of one client, which anyone can check. */
  ED25519(2, SigningKey.SIGNATURE_LENGTH);

  private final int number;
  private final int proofLength;

  SealScheme(int number, int proofLength) {
    this.number = number;
    this.proofLength = proofLength;
  }

  /** The permanent number. */
  public int number() {
    return number;
  }

  /** Bytes in the code or signature. */
  int proofLength() {
    return proofLength;
  }

  static @Nullable SealScheme ofNumber(int number) {
    return switch (number) {
      case 1 -> HMAC_SHA256;
      case 2 -> ED25519;
      default -> null;
    };
  }
}
