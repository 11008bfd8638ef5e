package io.testudo.quorum.sim.pinging;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.byzantine.ByzantineKind;
import io.testudo.quorum.sim.byzantine.Forger;
import io.testudo.quorum.sim.byzantine.HonestStep;
import io.testudo.quorum.sim.byzantine.OutgoingMessage;
import io.testudo.quorum.sim.byzantine.StrategyContext;
import java.util.List;

/** What a liar can say in a {@link Pong}. */
final class PingForger implements Forger {
  private static final long TOPIC_VICTIM = 1;
  private static final long TOPIC_NUMBER = 2;

  /** A few leaps: within one of an honest server, or above it. */
  private static final long MOST_INVENTED = 4 * PingWorkload.LEAP;

  @Override
  public List<OutgoingMessage> forge(ByzantineKind kind, HonestStep step, StrategyContext context) {
    return step.meant().stream()
        .map(meant -> meant.saying(forged(kind, meant.message(), context)))
        .toList();
  }

  private static Message forged(ByzantineKind kind, Message honest, StrategyContext context) {
    if (!(honest instanceof Pong pong)) {
      return honest;
    }
    return switch (kind) {
      case WILD_NUMBER -> wild(pong, context);
      case INVENT -> slandering(pong, context);
      case WRONG_ID ->
          saying(
              pong,
              new ServerId(context.entropy().nextInt(context.servers())),
              pong.incarnation(),
              pong.witnessed());
      default -> pong;
    };
  }

  private static Pong wild(Pong pong, StrategyContext context) {
    ServerId anyone = new ServerId(context.entropy().nextInt(context.servers()));
    return switch (context.entropy().nextInt(3)) {
      case 0 -> claiming(pong, Long.MAX_VALUE);
      case 1 -> claiming(pong, 1 + context.entropy().nextLong(Long.MAX_VALUE));
      default -> slandering(pong, anyone, Long.MAX_VALUE);
    };
  }

  private static Pong claiming(Pong pong, long incarnation) {
    return saying(pong, pong.server(), incarnation, pong.witnessed());
  }

  /** Says that another server has said what it has not; conspirators name the same. */
  private static Pong slandering(Pong pong, StrategyContext context) {
    ServerId victim = new ServerId((int) context.agreed(TOPIC_VICTIM, context.servers()));
    long invented = 1 + context.agreed(TOPIC_NUMBER, MOST_INVENTED);
    return slandering(pong, victim, invented);
  }

  private static Pong slandering(Pong pong, ServerId victim, long invented) {
    Incarnations slander = pong.witnessed().with(victim, invented);
    return saying(pong, pong.server(), pong.incarnation(), slander);
  }

  private static Pong saying(Pong pong, ServerId self, long incarnation, Incarnations witnessed) {
    return new Pong(pong.nonce(), self, incarnation, pong.quietMillis(), pong.leaps(), witnessed);
  }
}
