package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Derives secrets from a secret with HKDF-SHA256. Who knows a child learns nothing about its parent
 * or its siblings.
 *
 * <p>A child is named by a label (what it is for) and context (which one). Both enter behind their
 * lengths, so {@code ("a", "bc")} and {@code ("ab", "c")} are different children.
 */
public final class Kdf {
  /** The longest label, in bytes of UTF-8. */
  public static final int MAX_LABEL_BYTES = 64;

  /** The most context parts of one child. */
  public static final int MAX_CONTEXT_PARTS = 8;

  /** The longest context part, in bytes. */
  public static final int MAX_CONTEXT_PART_BYTES = 1024;

  private static final String PUBLIC_DOMAIN = "testudo-kdf-v1";
  private static final String OWN_DOMAIN = "testudo-kdf-own-v1";

  private Kdf() {}

  /** The child of this parent with this label and context, a secret of 32 bytes. */
  public static SecretBytes derive(SecretBytes parent, String label, byte[]... context) {
    return SecretBytes.adopt(deriveIn(PUBLIC_DOMAIN, parent, label, context));
  }

  /**
   * A child for this package's own use. In a domain of its own, so that no caller's label can meet
   * it: one of these children is published as a {@link KeyId}.
   */
  static byte[] deriveOwn(SecretBytes parent, String label) {
    return deriveIn(OWN_DOMAIN, parent, label);
  }

  private static byte[] deriveIn(
      String domain, SecretBytes parent, String label, byte[]... context) {
    byte[] info = info(label, context);
    byte[] parentBytes = parent.copy();
    byte[] extracted = Hkdf.extract(domain.getBytes(StandardCharsets.US_ASCII), parentBytes);
    byte[] child = Hkdf.expand(extracted, info, SecretBytes.MIN_LENGTH);
    SecretBytes.wipe(parentBytes);
    SecretBytes.wipe(extracted);
    return child;
  }

  private static byte[] info(String label, byte[]... context) {
    byte[] labelBytes = StrictUtf8.encode(label, "label of the derived key", MAX_LABEL_BYTES);
    if (context.length > MAX_CONTEXT_PARTS) {
      throw new IllegalArgumentException(
          "The context of a derived key has %s parts; use at most %s."
              .formatted(context.length, MAX_CONTEXT_PARTS));
    }
    int length = Short.BYTES + labelBytes.length;
    for (byte[] part : context) {
      if (part.length > MAX_CONTEXT_PART_BYTES) {
        throw new IllegalArgumentException(
            "A context part of a derived key has %s bytes; use at most %s."
                .formatted(part.length, MAX_CONTEXT_PART_BYTES));
      }
      length += Short.BYTES + part.length;
    }
    ByteBuffer info = ByteBuffer.allocate(length);
    info.putShort((short) labelBytes.length).put(labelBytes);
    for (byte[] part : context) {
      info.putShort((short) part.length).put(part);
    }
    return info.array();
  }
}
