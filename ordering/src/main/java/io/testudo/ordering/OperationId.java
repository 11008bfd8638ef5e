package io.testudo.ordering;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Names an operation on an object for ever: with it one can ask what came of it.
 *
 * @param session of the client that submitted it
 * @param sequence grows with each operation of that client on that object
 */
public record OperationId(long session, long sequence) {
  private static final int SESSION_DIGITS = 16;

  public OperationId {
    if (sequence < 1) {
      throw new IllegalArgumentException(
          "Operations have positive numbers, not %s; correct the id.".formatted(sequence));
    }
  }

  /** Reads an id as {@link #toString} writes it. */
  public static OperationId parse(String text) {
    try {
      if (text.length() > SESSION_DIGITS + 1 && text.charAt(SESSION_DIGITS) == '-') {
        OperationId id =
            new OperationId(
                HexFormat.fromHexDigitsToLong(text, 0, SESSION_DIGITS),
                Long.parseLong(text.substring(SESSION_DIGITS + 1)));
        if (id.toString().equals(text)) {
          return id;
        }
      }
    } catch (IllegalArgumentException e) {
      throw malformed(text, e);
    }
    throw malformed(text, null);
  }

  private static IllegalArgumentException malformed(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "'%s' is no operation id; one looks like 00c0ffee00c0ffee-17.".formatted(text), cause);
  }

  /** The session in hexadecimal digits, a dash, and the number. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(session) + "-" + sequence;
  }
}
