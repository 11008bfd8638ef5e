package io.testudo.quorum.sim.liar;

import io.testudo.quorum.ClientId;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;

/** Lies about what the server knows. */
final class Minds {
  private Minds() {}

  /** A number below {@code parts} that a client always gets. */
  private static int partOf(ClientId client, int parts) {
    return Math.floorMod(client.principal().hashCode(), parts);
  }

  static Lie perClient() {
    return new Lie() {
      @Override
      public int mindFor(ClientId client, LiarDesk desk) {
        return partOf(client, Both.MAX_MINDS);
      }
    };
  }

  static Lie twins() {
    return new Lie() {
      @Override
      public int mindFor(ClientId client, LiarDesk desk) {
        return partOf(client, 2);
      }
    };
  }

  static Lie frozen(Entropy entropy) {
    int learns = entropy.nextInt(20);
    return new Lie() {
      private int heard;

      @Override
      public boolean remembers(LiarDesk desk) {
        return heard++ < learns;
      }
    };
  }

  static Lie careless() {
    return new Lie() {
      @Override
      public boolean remembers(LiarDesk desk) {
        return desk.entropy().chance(0.5);
      }
    };
  }

  static Lie forgetful() {
    return new Lie() {
      private int mind;

      @Override
      public int mindFor(ClientId client, LiarDesk desk) {
        if (desk.entropy().chance(0.1)) {
          // Back to the first mind now and then: what was forgotten is recalled.
          mind = desk.entropy().chance(0.5) ? 0 : desk.entropy().nextInt(Both.MAX_MINDS);
        }
        return mind;
      }
    };
  }

  static Lie falseClock(Entropy entropy) {
    double rate = 0.1 + 10 * entropy.nextDouble();
    return new Lie() {
      private long jumpNanos;

      @Override
      public Moment clock(Moment honest, LiarDesk desk) {
        if (desk.entropy().chance(0.1)) {
          jumpNanos += desk.entropy().nextLong(60_000_000_000L);
        }
        long nanos = (long) (honest.nanos() * rate) + jumpNanos;
        return new Moment(nanos, honest.wallMillis() + jumpNanos / 1_000_000L);
      }
    };
  }
}
