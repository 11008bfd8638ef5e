package io.testudo.quorum.sim;

import io.testudo.quorum.wire.Envelope;
import io.testudo.quorum.wire.Frame;
import io.testudo.quorum.wire.WireException;
import java.util.List;

/** Where frames become messages, on every simulated node. */
final class Gateway {
  private Gateway() {}

  /** The messages of a frame; none if it is not one. */
  static List<Envelope> open(SimNode node, Parcel parcel) {
    try {
      Frame frame = node.world.frames.decode(parcel.frame());
      return frame.envelopes();
    } catch (WireException e) {
      node.world.trace.note(
          node.world.events.nowNanos(),
          node,
          () -> "refuses a frame: " + e.fault() + ", " + e.getMessage());
      return List.of();
    }
  }
}
