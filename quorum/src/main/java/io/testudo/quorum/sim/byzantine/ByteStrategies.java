package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.spi.Entropy;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** Lies in the bytes. */
final class ByteStrategies {
  private static final double SHARE = 0.7;

  private ByteStrategies() {}

  private static ByzantineStrategy writing(BiFunction<byte[], Entropy, List<byte[]>> write) {
    return new ByzantineStrategy() {
      @Override
      public List<byte[]> write(byte[] frame, StrategyContext context) {
        // Another lie may have left nothing to write on.
        return frame.length > 0 && context.entropy().chance(SHARE)
            ? write.apply(frame, context.entropy())
            : List.of(frame);
      }
    };
  }

  /**
   * A channel checks each frame and closes on a bad one, so nothing arrives. (The real check is
   * tested over real sockets; here it only costs the message.)
   */
  static ByzantineStrategy refused() {
    return writing((frame, entropy) -> List.of());
  }

  static ByzantineStrategy garbage() {
    return writing(
        (frame, entropy) -> {
          byte[] bytes = entropy.chance(0.5) ? frame.clone() : new byte[entropy.nextInt(200)];
          int changes = entropy.chance(0.5) ? 1 : bytes.length;
          for (int i = 0; i < changes && bytes.length > 0; i++) {
            bytes[entropy.nextInt(bytes.length)] = (byte) entropy.nextLong();
          }
          return List.of(bytes);
        });
  }

  static ByzantineStrategy badLength() {
    return writing(
        (frame, entropy) -> {
          byte[] longer = Arrays.copyOf(frame, frame.length + entropy.nextInt(2_000));
          int at = entropy.nextInt(Math.min(longer.length, 8));
          byte[] lengths = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f};
          System.arraycopy(lengths, 0, longer, at, Math.min(lengths.length, longer.length - at));
          return List.of(longer);
        });
  }

  static ByzantineStrategy brokenOff() {
    return writing(
        (frame, entropy) -> List.of(Arrays.copyOf(frame, entropy.nextInt(frame.length))));
  }
}
