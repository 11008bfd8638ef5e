package io.testudo.quorum.sim;

import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.Frame;
import io.testudo.quorum.wire.FrameCodec;
import io.testudo.quorum.wire.WireException;
import java.util.List;

/**
 * The codec, which a run would otherwise spend a third of its time in. What goes to all servers is
 * written once, and a frame that arrives at several places, or several times, is read once: whoever
 * gets it gets equal messages anyway, and nobody can change one.
 */
final class SimWire {
  private final FrameCodec codec;
  private List<Envelope> lastPacked = List.of();
  private List<SimFrame> lastFrames = List.of();

  SimWire(FrameCodec codec) {
    this.codec = codec;
  }

  List<SimFrame> pack(List<Envelope> envelopes) {
    if (!isTheSame(envelopes, lastPacked)) {
      List<byte[]> packed = codec.pack(envelopes);
      lastFrames =
          packed.size() == 1
              ? List.of(new SimFrame(packed.get(0)))
              : packed.stream().map(SimFrame::new).toList();
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

  Frame decode(SimFrame frame) throws WireException {
    Frame known = frame.read;
    if (known == null) {
      known = codec.decode(frame.bytes());
      frame.read = known;
    }
    return known;
  }
}
