package io.testudo.quorum.sim.liar;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import java.util.List;

/**
 * One way to be faulty. Every hook is honest unless it is overridden, and two lies can be told at
 * once. A liar thinks with honest machines, but it may have several of them, and make them forget.
 */
public interface Lie {
  /** Which of the liar's minds hears this client; each is an honest machine of its own. */
  default int mindFor(ClientId client, LiarDesk desk) {
    return 0;
  }

  /** Whether the mind is changed by what it now hears; if not, it only answers. */
  default boolean remembers(LiarDesk desk) {
    return true;
  }

  /** What the liar takes for the time. */
  default Moment clock(Moment honest, LiarDesk desk) {
    return honest;
  }

  /** What the liar says in place of what its mind would say: nothing, something, or much. */
  default List<Utterance> say(Occasion occasion, LiarDesk desk) {
    return occasion.meant();
  }

  /** What the liar puts on the wire in place of a frame. */
  default List<byte[]> write(byte[] frame, LiarDesk desk) {
    return List.of(frame);
  }

  /** Both at once: this one first. */
  default Lie and(Lie other) {
    return new Both(this, other);
  }
}
