package io.testudo.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;

/**
 * The text of a key file: four lines of ASCII, each ended by a line feed. The id is computed from
 * the key, so it serves as the checksum too.
 *
 * <pre>
 * testudo-key 1
 * kind secret
 * id 0123456789abcdef
 * data BASE64
 * </pre>
 *
 * <p>Handled as bytes throughout: a String can't be wiped.
 */
final class KeyFileText {
  private static final String MAGIC = "testudo-key ";
  private static final String FIRST_LINE = MAGIC + "1\n";

  private KeyFileText() {}

  static byte[] encode(KeyFileKind kind, byte[] raw) {
    byte[] head = head(kind, kind.idOf(raw));
    byte[] data = Base64.getEncoder().encode(raw);
    byte[] text =
        ByteBuffer.allocate(head.length + data.length + 1)
            .put(head)
            .put(data)
            .put((byte) '\n')
            .array();
    SecretBytes.wipe(data);
    return text;
  }

  /** The bytes of the key in this text, read from this file; the caller wipes them. */
  static byte[] decode(byte[] text, KeyFileKind kind, Path file) throws KeyFileException {
    if (!startsWith(text, MAGIC)) {
      throw new KeyFileException(
          "%s is no Testudo key file; name the right file or create a key.".formatted(file));
    }
    if (!startsWith(text, FIRST_LINE)) {
      throw new KeyFileException(
          "%s is damaged or of another version; restore it or use the release that wrote it."
              .formatted(file));
    }
    requireKind(text, kind, file);
    byte[] raw = new byte[0];
    try {
      raw = decodeData(text, head(kind, new KeyId(0)).length);
      // Writing it again leaves no room for a wrong id, another spelling or anything left over.
      byte[] rewritten = encode(kind, raw);
      boolean same = ConstantTime.equal(text, rewritten);
      SecretBytes.wipe(rewritten);
      if (same) {
        return raw;
      }
    } catch (IllegalArgumentException e) {
      // Told below, without a cause: the decoder's message quotes a character of the key.
    }
    SecretBytes.wipe(raw);
    throw damaged(file);
  }

  private static byte[] head(KeyFileKind kind, KeyId id) {
    return (FIRST_LINE + kindLine(kind) + "id " + id + "\ndata ")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String kindLine(KeyFileKind kind) {
    return "kind " + kind.label() + "\n";
  }

  private static void requireKind(byte[] text, KeyFileKind wanted, Path file)
      throws KeyFileException {
    for (KeyFileKind kind : KeyFileKind.values()) {
      if (startsWith(text, FIRST_LINE + kindLine(kind))) {
        if (kind == wanted) {
          return;
        }
        throw new KeyFileException(
            "%s holds a %s, but a %s is needed here; name the right file."
                .formatted(file, kind.label(), wanted.label()));
      }
    }
    throw damaged(file);
  }

  private static byte[] decodeData(byte[] text, int from) {
    int end = text.length - 1;
    if (end < from) {
      throw new IllegalArgumentException("The text ends before the key.");
    }
    byte[] data = Arrays.copyOfRange(text, from, end);
    try {
      return Base64.getDecoder().decode(data);
    } finally {
      SecretBytes.wipe(data);
    }
  }

  private static KeyFileException damaged(Path file) {
    return new KeyFileException(
        "%s is damaged; restore it from a copy or create a new key.".formatted(file));
  }

  private static boolean startsWith(byte[] text, String prefix) {
    byte[] bytes = prefix.getBytes(StandardCharsets.US_ASCII);
    return text.length >= bytes.length
        && Arrays.equals(text, 0, bytes.length, bytes, 0, bytes.length);
  }
}
