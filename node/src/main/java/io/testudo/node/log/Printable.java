package io.testudo.node.log;

/**
 * Text of others as a terminal may see it: what would move the cursor, change colours or turn the
 * direction of reading is written as {@code \\u001b}.
 */
public final class Printable {
  private Printable() {}

  /** On one line. */
  public static String of(String text) {
    return escape(text, false);
  }

  /** With the ends of lines and tabs as they are. */
  public static String lines(String text) {
    return escape(text, true);
  }

  private static String escape(String text, boolean keepsLines) {
    StringBuilder escaped = null;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      int next = i + Character.charCount(point);
      if (isPlain(point) || (keepsLines && (point == '\n' || point == '\t'))) {
        if (escaped != null) {
          escaped.appendCodePoint(point);
        }
      } else {
        if (escaped == null) {
          escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
        }
        for (int unit = i; unit < next; unit++) {
          escaped.append("\\u%04x".formatted((int) text.charAt(unit)));
        }
      }
      i = next;
    }
    return escaped == null ? text : escaped.toString();
  }

  private static boolean isPlain(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
