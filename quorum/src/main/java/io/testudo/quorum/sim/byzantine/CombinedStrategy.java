package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import java.util.List;

/** Two lies told at once. */
record CombinedStrategy(ByzantineStrategy first, ByzantineStrategy second)
    implements ByzantineStrategy {
  /** No lie has more honest machines than this. */
  static final int MAX_MACHINES = 16;

  @Override
  public int machineFor(ClientId client, StrategyContext context) {
    return first.machineFor(client, context) + MAX_MACHINES * second.machineFor(client, context);
  }

  @Override
  public boolean remembers(StrategyContext context) {
    return first.remembers(context) && second.remembers(context);
  }

  @Override
  public Moment clock(Moment honest, StrategyContext context) {
    return second.clock(first.clock(honest, context), context);
  }

  @Override
  public List<OutgoingMessage> say(HonestStep step, StrategyContext context) {
    return second.say(step.meaning(first.say(step, context)), context);
  }

  @Override
  public List<byte[]> write(byte[] frame, StrategyContext context) {
    return first.write(frame, context).stream()
        .flatMap(bytes -> second.write(bytes, context).stream())
        .toList();
  }
}
