package io.testudo.quorum.sim.byzantine;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;

/** Lies about what the server knows. */
final class StateStrategies {
  private StateStrategies() {}

  /** A number below {@code parts} that a client always gets. */
  private static int partOf(ClientId client, int parts) {
    return Math.floorMod(client.principal().hashCode(), parts);
  }

  static ByzantineStrategy perClient() {
    return new ByzantineStrategy() {
      @Override
      public int machineFor(ClientId client, StrategyContext context) {
        return partOf(client, CombinedStrategy.MAX_MACHINES);
      }
    };
  }

  static ByzantineStrategy twins() {
    return new ByzantineStrategy() {
      @Override
      public int machineFor(ClientId client, StrategyContext context) {
        return partOf(client, 2);
      }
    };
  }

  static ByzantineStrategy frozen(Entropy entropy) {
    int learns = entropy.nextInt(20);
    return new ByzantineStrategy() {
      private int heard;

      @Override
      public boolean remembers(StrategyContext context) {
        return heard++ < learns;
      }
    };
  }

  static ByzantineStrategy careless() {
    return new ByzantineStrategy() {
      @Override
      public boolean remembers(StrategyContext context) {
        return context.entropy().chance(0.5);
      }
    };
  }

  static ByzantineStrategy forgetful() {
    return new ByzantineStrategy() {
      private int machine;

      @Override
      public int machineFor(ClientId client, StrategyContext context) {
        if (context.entropy().chance(0.1)) {
          // Back to the first honest machine now and then: what was forgotten is recalled.
          machine =
              context.entropy().chance(0.5)
                  ? 0
                  : context.entropy().nextInt(CombinedStrategy.MAX_MACHINES);
        }
        return machine;
      }
    };
  }

  static ByzantineStrategy falseClock(Entropy entropy) {
    double rate = 0.1 + 10 * entropy.nextDouble();
    return new ByzantineStrategy() {
      private long jumpNanos;

      @Override
      public Moment clock(Moment honest, StrategyContext context) {
        if (context.entropy().chance(0.1)) {
          jumpNanos += context.entropy().nextLong(60_000_000_000L);
        }
        long nanos = (long) (honest.nanos() * rate) + jumpNanos;
        return new Moment(nanos, honest.wallMillis() + jumpNanos / 1_000_000L);
      }
    };
  }
}
