package io.testudo.quorum.sim.pinging;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.ping.Incarnations;
import io.testudo.quorum.ping.Pong;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.sim.liar.Forger;
import io.testudo.quorum.sim.liar.LiarDesk;
import io.testudo.quorum.sim.liar.LieKind;
import io.testudo.quorum.sim.liar.Occasion;
import io.testudo.quorum.sim.liar.Utterance;
import java.util.List;

/** What a liar can say in a {@link Pong}. */
final class PingForger implements Forger {
  private static final long TOPIC_VICTIM = 1;
  private static final long TOPIC_NUMBER = 2;

  /** A few leaps: within one of an honest server, or above it. */
  private static final long MOST_INVENTED = 4 * PingWorkload.LEAP;

  @Override
  public List<Utterance> forge(LieKind kind, Occasion occasion, LiarDesk desk) {
    return occasion.meant().stream()
        .map(meant -> meant.saying(forged(kind, meant.message(), desk)))
        .toList();
  }

  private static Message forged(LieKind kind, Message honest, LiarDesk desk) {
    if (!(honest instanceof Pong pong)) {
      return honest;
    }
    return switch (kind) {
      case WILD_NUMBER -> wild(pong, desk);
      case INVENT -> slandering(pong, desk);
      case WRONG_ID ->
          saying(
              pong,
              new ServerId(desk.entropy().nextInt(desk.servers())),
              pong.incarnation(),
              pong.witnessed());
      default -> pong;
    };
  }

  private static Pong wild(Pong pong, LiarDesk desk) {
    ServerId anyone = new ServerId(desk.entropy().nextInt(desk.servers()));
    return switch (desk.entropy().nextInt(3)) {
      case 0 -> claiming(pong, Long.MAX_VALUE);
      case 1 -> claiming(pong, 1 + desk.entropy().nextLong(Long.MAX_VALUE));
      default -> slandering(pong, anyone, Long.MAX_VALUE);
    };
  }

  private static Pong claiming(Pong pong, long incarnation) {
    return saying(pong, pong.server(), incarnation, pong.witnessed());
  }

  /** Says that another server has said what it has not; conspirators name the same. */
  private static Pong slandering(Pong pong, LiarDesk desk) {
    ServerId victim = new ServerId((int) desk.plotted(TOPIC_VICTIM, desk.servers()));
    long invented = 1 + desk.plotted(TOPIC_NUMBER, MOST_INVENTED);
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
