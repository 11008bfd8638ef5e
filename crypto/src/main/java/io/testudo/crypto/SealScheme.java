package io.testudo.crypto;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a seal is made. The numbers are permanent. */
public enum SealScheme {
  /** A code under a key that all members of a group of clients share; only they can check it. */
  HMAC_SHA256(1, "hmac", Hmac.LENGTH),
  /** A signature of one client, behind its session, which anyone can check. */
  ED25519(2, "ed25519", Long.BYTES + SigningKey.SIGNATURE_LENGTH);

  private final int number;
  private final String schemeName;
  private final int proofLength;

  SealScheme(int number, String schemeName, int proofLength) {
    this.number = number;
    this.schemeName = schemeName;
    this.proofLength = proofLength;
  }

  /** The permanent number. */
  public int number() {
    return number;
  }

  /** The name by which people configure it, such as {@code hmac}. */
  public String schemeName() {
    return schemeName;
  }

  /** The scheme that people configure by this name, if there is one. */
  public static Optional<SealScheme> named(String name) {
    return Arrays.stream(values()).filter(scheme -> scheme.schemeName.equals(name)).findFirst();
  }

  /** Bytes in the code, or in session and signature. */
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
