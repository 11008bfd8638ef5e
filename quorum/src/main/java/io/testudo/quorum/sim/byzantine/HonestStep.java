package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Moment;
import java.util.List;

/**
 * A chance to lie: something befell the liar, and this is what it would say to it. A liar need not
 * have anything to say to speak.
 *
 * @param cause its start, a message that arrived, or a timer
 * @param now on the liar's clocks
 * @param meant what its honest machine would send, possibly nothing
 */
public record HonestStep(Input<ClientId> cause, Moment now, List<OutgoingMessage> meant) {
  public HonestStep {
    meant = List.copyOf(meant);
  }

  /** The same, with something else in mind. */
  HonestStep meaning(List<OutgoingMessage> other) {
    return new HonestStep(cause, now, other);
  }
}
