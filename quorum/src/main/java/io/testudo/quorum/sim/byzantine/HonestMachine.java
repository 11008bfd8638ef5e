package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Effect;
import io.testudo.quorum.protocol.Input;
import io.testudo.quorum.protocol.Machine;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * An honest machine in a liar's head. It can be asked what it would answer without being changed: a
 * machine is a function of its inputs, so a second one that is given the same inputs is a copy.
 */
public final class HonestMachine {
  /**
   * Beyond so many inputs an honest machine can no longer be copied, and remembers whether it
   * should or not.
   */
  private static final int MAX_REPLAYED = 256;

  private final Supplier<Machine<ClientId>> maker;
  private final Machine<ClientId> machine;
  private final List<Heard> heard = new ArrayList<>();

  private record Heard(Input<ClientId> input, Moment moment) {}

  /**
   * An honest machine that has not started yet.
   *
   * @param maker makes the same machine each time, chance included
   */
  public HonestMachine(Supplier<Machine<ClientId>> maker) {
    this.maker = maker;
    this.machine = maker.get();
  }

  public boolean handles(Message message) {
    return machine.handles(message);
  }

  /**
   * Lets the honest machine answer.
   *
   * @param keep whether it remembers that it did
   */
  public List<Effect<ClientId>> step(Input<ClientId> input, Moment moment, boolean keep) {
    if (keep || heard.size() > MAX_REPLAYED) {
      if (heard.size() <= MAX_REPLAYED) {
        heard.add(new Heard(input, moment));
      }
      return machine.step(input, moment);
    }
    Machine<ClientId> copy = maker.get();
    for (Heard past : heard) {
      copy.step(past.input(), past.moment());
    }
    return copy.step(input, moment);
  }
}
