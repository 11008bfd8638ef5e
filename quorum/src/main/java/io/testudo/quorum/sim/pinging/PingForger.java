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
  private static final long MOST_INVENTED_STARTS = 1_000;

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
          new Pong(
              pong.nonce(),
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
      default ->
          new Pong(
              pong.nonce(),
              pong.server(),
              pong.incarnation(),
              pong.witnessed().with(anyone, Long.MAX_VALUE));
    };
  }

  private static Pong claiming(Pong pong, long incarnation) {
    return new Pong(pong.nonce(), pong.server(), incarnation, pong.witnessed());
  }

  /** Says that another server has started more often than it has; conspirators name the same. */
  private static Pong slandering(Pong pong, LiarDesk desk) {
    ServerId victim = new ServerId((int) desk.plotted(TOPIC_VICTIM, desk.servers()));
    long starts = MOST_INVENTED_STARTS + desk.plotted(TOPIC_NUMBER, MOST_INVENTED_STARTS);
    Incarnations slander = pong.witnessed().with(victim, starts);
    return new Pong(pong.nonce(), pong.server(), pong.incarnation(), slander);
  }
}
