package io.testudo.quorum.sim.liar;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import java.util.List;

/** Two lies told at once. */
record Both(Lie first, Lie second) implements Lie {
  /** No lie has more minds than this. */
  static final int MAX_MINDS = 16;

  @Override
  public int mindFor(ClientId client, LiarDesk desk) {
    return first.mindFor(client, desk) + MAX_MINDS * second.mindFor(client, desk);
  }

  @Override
  public boolean remembers(LiarDesk desk) {
    return first.remembers(desk) && second.remembers(desk);
  }

  @Override
  public Moment clock(Moment honest, LiarDesk desk) {
    return second.clock(first.clock(honest, desk), desk);
  }

  @Override
  public List<Utterance> say(Occasion occasion, LiarDesk desk) {
    return second.say(occasion.meaning(first.say(occasion, desk)), desk);
  }

  @Override
  public List<byte[]> write(byte[] frame, LiarDesk desk) {
    return first.write(frame, desk).stream()
        .flatMap(bytes -> second.write(bytes, desk).stream())
        .toList();
  }
}
