package io.testudo.crypto;

import com.google.common.base.Utf8;
import java.nio.charset.StandardCharsets;

/**
 * Text as UTF-8, or an error. The JDK's own encoder turns half a surrogate pair into a question
 * mark, so two different names would become the same bytes and share their seals.
 */
final class StrictUtf8 {
  private StrictUtf8() {}

  /** The bytes of a text of 1 to {@code maxBytes} bytes; {@code what} names it in the message. */
  static byte[] encode(String text, String what, int maxBytes) {
    check(text, what, maxBytes);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Only whether {@link #encode} would do. */
  static void check(String text, String what, int maxBytes) {
    int length = encodedLength(text, what);
    if (length < 1 || length > maxBytes) {
      throw new IllegalArgumentException(
          "The %s is %s bytes long in UTF-8; use 1 to %s.".formatted(what, length, maxBytes));
    }
  }

  private static int encodedLength(String text, String what) {
    try {
      return Utf8.encodedLength(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The %s holds half a surrogate pair; use well-formed Unicode.".formatted(what), e);
    }
  }
}
