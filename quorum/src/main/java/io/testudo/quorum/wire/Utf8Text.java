package io.testudo.quorum.wire;

/** Text as UTF-8, written where it is to be. Half a surrogate pair becomes a question mark. */
final class Utf8Text {
  private static final int PAIR_BYTES = 4;

  private Utf8Text() {}

  static int length(String text) {
    int length = text.length();
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next < 0x80) {
        continue;
      }
      if (next < 0x800) {
        length++;
      } else if (!Character.isSurrogate(next)) {
        length += 2;
      } else if (isPair(text, i)) {
        length += PAIR_BYTES - 2;
        i++;
      }
    }
    return length;
  }

  /** Gives the position behind it. */
  static int write(String text, byte[] target, int from) {
    int at = from;
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next < 0x80) {
        target[at++] = (byte) next;
      } else if (next < 0x800) {
        target[at++] = (byte) (0xc0 | (next >>> 6));
        target[at++] = continued(next);
      } else if (!Character.isSurrogate(next)) {
        target[at++] = (byte) (0xe0 | (next >>> 12));
        target[at++] = continued(next >>> 6);
        target[at++] = continued(next);
      } else if (isPair(text, i)) {
        int point = Character.toCodePoint(next, text.charAt(++i));
        target[at++] = (byte) (0xf0 | (point >>> 18));
        target[at++] = continued(point >>> 12);
        target[at++] = continued(point >>> 6);
        target[at++] = continued(point);
      } else {
        target[at++] = '?';
      }
    }
    return at;
  }

  private static byte continued(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }

  private static boolean isPair(String text, int at) {
    return at + 1 < text.length()
        && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
  }
}
