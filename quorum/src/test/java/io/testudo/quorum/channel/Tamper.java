package io.testudo.quorum.channel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The ways in which a message can be damaged. */
final class Tamper {
  private Tamper() {}

  /** A way to damage a message. */
  interface Damage {
    byte[] to(byte[] message);
  }

  /** Every truncation and every flipped bit of a message of this length, and one byte more. */
  static List<Damage> ofEachKind(int length) {
    List<Damage> damages = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      int kept = i;
      damages.add(message -> Arrays.copyOf(message, kept));
    }
    for (int i = 0; i < length * Byte.SIZE; i++) {
      int bit = i;
      damages.add(message -> withBitFlipped(message, bit));
    }
    damages.add(message -> Arrays.copyOf(message, message.length + 1));
    return damages;
  }

  static byte[] withBitFlipped(byte[] message, int bit) {
    byte[] flipped = message.clone();
    flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
    return flipped;
  }
}
