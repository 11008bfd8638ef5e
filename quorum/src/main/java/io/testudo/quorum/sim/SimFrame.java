package io.testudo.quorum.sim;

import io.testudo.quorum.Bytes;
import io.testudo.quorum.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * A frame on its way to any number of nodes. What has to be found out about its bytes is found out
 * once, wherever and however often they arrive: nobody can change them, nor what they say.
 */
final class SimFrame {
  private final byte[] bytes;
  private final int hash;

  /** What the bytes say, if somebody has read them. */
  @Nullable Frame read;

  /** These bytes are not copied, since nobody changes any. */
  SimFrame(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Bytes.hash(1, bytes, 0, bytes.length);
  }

  byte[] bytes() {
    return bytes;
  }

  /** Differs for most bytes that do. */
  int hash() {
    return hash;
  }
}
