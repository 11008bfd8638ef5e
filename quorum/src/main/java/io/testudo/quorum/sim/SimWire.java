package io.testudo.quorum.sim;

import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.Frame;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The codec, which a run would otherwise spend a third of its time in. What goes to all servers is
 * written once, and a frame that arrives at several places, or several times, is read once: whoever
 * gets it gets equal messages anyway, and nobody can change one.
 */
final class SimWire {
  /** Frames that are remembered at a time. */
  private static final int MAX_REMEMBERED = 2_048;

  private final FrameCodec codec;
  private final IdentityHashMap<byte[], Frame> read = new IdentityHashMap<>();
  private List<Envelope> lastPacked = List.of();
  private List<byte[]> lastFrames = List.of();

  SimWire(FrameCodec codec) {
    this.codec = codec;
  }

  List<byte[]> pack(List<Envelope> envelopes) {
    if (!isTheSame(envelopes, lastPacked)) {
      lastFrames = codec.pack(envelopes);
      lastPacked = List.copyOf(envelopes);
    }
    return lastFrames;
  }

  /** Told by identity: to compare what messages say would cost as much as to write them. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isTheSame(List<Envelope> some, List<Envelope> others) {
    if (some.size() != others.size() || some.isEmpty()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (some.get(i).message() != others.get(i).message()
          || some.get(i).handle() != others.get(i).handle()) {
        return false;
      }
    }
    return true;
  }

  Frame decode(byte[] frame) throws WireException {
    Frame known = read.get(frame);
    if (known != null) {
      return known;
    }
    Frame decoded = codec.decode(frame);
    if (read.size() >= MAX_REMEMBERED) {
      read.clear();
    }
    read.put(frame, decoded);
    return decoded;
  }
}
