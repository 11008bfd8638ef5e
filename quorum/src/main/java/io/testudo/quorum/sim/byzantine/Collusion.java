package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.spi.Entropy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What liars agreed on and tell each other; a liar that works alone has one of its own. */
public final class Collusion {
  private final long seed;
  private final Map<Class<?>, Object> memories = new HashMap<>();

  public Collusion(long seed) {
    this.seed = seed;
  }

  /** A number below {@code bound} that stays the same all through a run for one {@code topic}. */
  long number(long topic, long bound) {
    return Entropy.seeded(seed ^ topic * 0x9E3779B97F4A7C15L).nextLong(bound);
  }

  /** The one memory of a type, made when it is first asked for. */
  <T> T memory(Class<T> type, Supplier<T> fresh) {
    return type.cast(memories.computeIfAbsent(type, any -> fresh.get()));
  }
}
