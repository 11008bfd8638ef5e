package io.testudo.quorum.sim.liar;

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
 * @param meant what its mind would send, possibly nothing
 */
public record Occasion(Input<ClientId> cause, Moment now, List<Utterance> meant) {
  public Occasion {
    meant = List.copyOf(meant);
  }

  /** The same, with something else in mind. */
  Occasion meaning(List<Utterance> other) {
    return new Occasion(cause, now, other);
  }
}
