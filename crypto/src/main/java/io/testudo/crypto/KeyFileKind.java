package io.testudo.crypto;

/** What a key file holds. The labels are permanent: they stand in the files. */
enum KeyFileKind {
  SECRET("secret", true) {
    @Override
    KeyId idOf(byte[] raw) {
      try (SecretBytes secret = SecretBytes.copyOf(raw)) {
        return KeyId.of(secret);
      }
    }
  },
  SIGNING_KEY("signing-key", true) {
    @Override
    KeyId idOf(byte[] raw) {
      try (SecretBytes seed = SecretBytes.copyOf(raw);
          SigningKey key = SigningKey.fromSeed(seed)) {
        return KeyId.of(key.verifyingKey());
      }
    }
  },
  VERIFYING_KEY("verifying-key", false) {
    @Override
    KeyId idOf(byte[] raw) {
      return KeyId.of(VerifyingKey.fromBytes(raw));
    }
  };

  private final String label;
  private final boolean confidential;

  KeyFileKind(String label, boolean confidential) {
    this.label = label;
    this.confidential = confidential;
  }

  /** The id of the key with these bytes; an IllegalArgumentException if they are no such key. */
  abstract KeyId idOf(byte[] raw);

  String label() {
    return label;
  }

  /** Whether nobody but the owner may read it. */
  boolean confidential() {
    return confidential;
  }
}
