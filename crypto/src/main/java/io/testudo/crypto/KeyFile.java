package io.testudo.crypto;

import java.nio.file.Path;
import java.util.function.Function;

/**
 * Keys as small text files.
 *
 * <p>Writing never overwrites. A secret or signing key is created readable for its owner only, from
 * the first moment on; file and directory are synced before the call returns.
 *
 * <p>Reading refuses a secret that others may read, that belongs to another user (also when root
 * reads), or that lies where permissions can't be told; and any key, public ones too, that others
 * could replace. Symbolic links are followed; the rules hold for the file they lead to.
 */
public final class KeyFile {
  /** The longest key file, in bytes. */
  public static final int MAX_BYTES = 1024;

  private KeyFile() {}

  /** Writes a secret into a new file. */
  public static void write(Path file, SecretBytes secret) throws KeyFileException {
    writeAndWipe(file, KeyFileKind.SECRET, secret.copy());
  }

  /** Writes a signing key into a new file. */
  public static void write(Path file, SigningKey key) throws KeyFileException {
    writeAndWipe(file, KeyFileKind.SIGNING_KEY, key.copySeed());
  }

  /** Writes a verifying key into a new file, readable for all. */
  public static void write(Path file, VerifyingKey key) throws KeyFileException {
    writeAndWipe(file, KeyFileKind.VERIFYING_KEY, key.toByteArray());
  }

  /** Reads a secret. */
  public static SecretBytes readSecret(Path file) throws KeyFileException {
    return read(file, KeyFileKind.SECRET, SecretBytes::copyOf);
  }

  /** Reads a signing key. */
  public static SigningKey readSigningKey(Path file) throws KeyFileException {
    return read(file, KeyFileKind.SIGNING_KEY, KeyFile::signingKey);
  }

  /** Reads a verifying key. */
  public static VerifyingKey readVerifyingKey(Path file) throws KeyFileException {
    return read(file, KeyFileKind.VERIFYING_KEY, VerifyingKey::fromBytes);
  }

  private static SigningKey signingKey(byte[] raw) {
    try (SecretBytes seed = SecretBytes.copyOf(raw)) {
      return SigningKey.fromSeed(seed);
    }
  }

  private static void writeAndWipe(Path file, KeyFileKind kind, byte[] raw)
      throws KeyFileException {
    byte[] text = KeyFileText.encode(kind, raw);
    try {
      ProtectedFile.write(file, kind.confidential(), text);
    } finally {
      SecretBytes.wipe(raw);
      SecretBytes.wipe(text);
    }
  }

  private static <K> K read(Path file, KeyFileKind kind, Function<byte[], K> fromRaw)
      throws KeyFileException {
    byte[] text = ProtectedFile.read(file, kind.confidential(), MAX_BYTES);
    try {
      byte[] raw = KeyFileText.decode(text, kind, file);
      try {
        return fromRaw.apply(raw);
      } finally {
        SecretBytes.wipe(raw);
      }
    } finally {
      SecretBytes.wipe(text);
    }
  }
}
