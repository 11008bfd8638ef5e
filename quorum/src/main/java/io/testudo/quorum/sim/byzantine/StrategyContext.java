package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ServerId;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.RandomMessages;
import io.testudo.quorum.wire.WireTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What a liar has before it: chance, what it said before, and what it agreed on with others. */
public final class StrategyContext {
  private static final int REMEMBERED = 16;

  private final ServerId self;
  private final int servers;
  private final Forger forger;
  private final Entropy entropy;
  private final Collusion collusion;
  private final RandomMessages variants;
  private final List<OutgoingMessage> past = new ArrayList<>();

  /**
   * Sets up what a liar has before it.
   *
   * @param collusion the same one for liars that collude
   */
  public StrategyContext(
      ServerId self,
      int servers,
      Forger forger,
      WireTypes types,
      Entropy entropy,
      Collusion collusion) {
    this.self = self;
    this.servers = servers;
    this.forger = forger;
    this.entropy = entropy;
    this.collusion = collusion;
    this.variants = new RandomMessages(types, entropy);
  }

  public ServerId self() {
    return self;
  }

  public int servers() {
    return servers;
  }

  public Entropy entropy() {
    return entropy;
  }

  RandomMessages variants() {
    return variants;
  }

  Forger forger() {
    return forger;
  }

  /** A number below {@code bound} that stays the same all through a run for one {@code topic}. */
  public long agreed(long topic, long bound) {
    return collusion.number(topic, bound);
  }

  /** What this liar and those it colludes with know together: one object of each type. */
  public <T> T shared(Class<T> type, Supplier<T> fresh) {
    return collusion.memory(type, fresh);
  }

  /** Keeps what was said, or would have been, for a later replay. */
  public void remember(OutgoingMessage said) {
    if (past.size() == REMEMBERED) {
      past.remove(0);
    }
    past.add(said);
  }

  /** What this server said before, honest or not, oldest first. */
  List<OutgoingMessage> past() {
    return past;
  }
}
