package io.testudo.wire;

import com.google.common.primitives.Bytes;
import java.util.Arrays;
import java.util.Random;

/** Bytes of a message, and what may become of them. */
final class Spoiler {
  private static final int MAX_NUMBER_BYTES = 10;

  private Spoiler() {}

  static byte[] spoil(byte[] whole, byte[] other, Random random) {
    int at = random.nextInt(whole.length + 1);
    byte[] head = Arrays.copyOf(whole, at);
    byte[] tail = Arrays.copyOfRange(whole, at, whole.length);
    return switch (random.nextInt(8)) {
      case 0 -> head;
      case 1 -> flipped(whole, random);
      case 2 -> Bytes.concat(head, new byte[] {(byte) random.nextInt()}, tail);
      case 3 -> Bytes.concat(head, Arrays.copyOfRange(tail, Math.min(1, tail.length), tail.length));
      // Two messages one behind the other are one message: fields of the second replace or add.
      case 4 -> Bytes.concat(whole, other);
      case 5 -> Bytes.concat(other, whole);
      case 6 -> Bytes.concat(whole, unknown(random));
      default -> padded(whole, at);
    };
  }

  private static byte[] flipped(byte[] whole, Random random) {
    byte[] flipped = whole.clone();
    if (whole.length > 0) {
      flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return flipped;
  }

  /** A field that no schema has, or has in another form. */
  private static byte[] unknown(Random random) {
    int number = 1 + random.nextInt(15);
    return switch (random.nextInt(4)) {
      case 0 -> new byte[] {(byte) (number << 3), (byte) 0x81, 1};
      case 1 -> Bytes.concat(new byte[] {(byte) ((number << 3) | 1)}, new byte[8]);
      case 2 -> new byte[] {(byte) ((number << 3) | 2), 2, 8, 1};
      default -> Bytes.concat(new byte[] {(byte) ((number << 3) | 5)}, new byte[4]);
    };
  }

  /** A byte that may be the last one of a number goes on with nothing. */
  private static byte[] padded(byte[] whole, int at) {
    if (at == whole.length || whole[at] < 0) {
      return whole;
    }
    byte[] padded = Bytes.concat(Arrays.copyOf(whole, at + 1), new byte[] {(byte) 0x80, 0});
    padded[at] |= (byte) 0x80;
    return Bytes.concat(padded, Arrays.copyOfRange(whole, at + 1, whole.length));
  }

  /** Whether ten bytes say that more of a number follows: protobuf-java ends it there. */
  static boolean mayHoldAnEndlessNumber(byte[] bytes) {
    int more = 0;
    for (byte next : bytes) {
      more = next < 0 ? more + 1 : 0;
      if (more == MAX_NUMBER_BYTES) {
        return true;
      }
    }
    return false;
  }
}
