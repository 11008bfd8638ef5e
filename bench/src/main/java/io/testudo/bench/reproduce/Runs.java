package io.testudo.bench.reproduce;

import io.testudo.quorum.spi.Entropy;
import java.util.function.Supplier;

/** The three ways in which clients come. */
final class Runs {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Supplier<ModelCluster> worlds;
  private final Entropy entropy;

  /**
   * Prepares runs.
   *
   * @param worlds makes a new world, always the same
   */
  Runs(Supplier<ModelCluster> worlds, Entropy entropy) {
    this.worlds = worlds;
    this.entropy = entropy;
  }

  /** New clients arrive in a Poisson process; more than {@code maxWaiting} are turned away. */
  Figures open(double perSecond, double warmUpSeconds, double seconds, int maxWaiting) {
    ModelCluster world = worlds.get();
    Count count = new Count(world);
    Runnable[] arrive = new Runnable[1];
    arrive[0] =
        () -> {
          if (count.waiting < maxWaiting) {
            count.takeTurn(world.newClient(), () -> {});
          }
          world.time().after(exponentialNanos(1 / perSecond), arrive[0]);
        };
    world.time().after(exponentialNanos(1 / perSecond), arrive[0]);
    return count.measure(warmUpSeconds, seconds);
  }

  /** Clients that are always there come again at once; servers forget from time to time. */
  Figures closed(int clients, double meanLifeSeconds, double warmUpSeconds, double seconds) {
    ModelCluster world = worlds.get();
    Count count = new Count(world);
    for (int i = 0; i < clients; i++) {
      comeAgainAndAgain(count, world.newClient());
    }
    if (meanLifeSeconds < Double.POSITIVE_INFINITY) {
      for (int i = 0; i < world.servers(); i++) {
        live(world, i, meanLifeSeconds);
      }
    }
    return count.measure(warmUpSeconds, seconds);
  }

  private static void comeAgainAndAgain(Count count, ModelCluster.Client client) {
    count.takeTurn(client, () -> comeAgainAndAgain(count, client));
  }

  private void live(ModelCluster world, int server, double meanLifeSeconds) {
    world
        .time()
        .after(
            exponentialNanos(meanLifeSeconds),
            () -> {
              world.forget(server);
              live(world, server, meanLifeSeconds);
            });
  }

  /** Clients come one after the other, each when the one before is long gone. */
  Figures alone(int clients, double gapSeconds) {
    ModelCluster world = worlds.get();
    Count count = new Count(world);
    for (int i = 0; i < clients; i++) {
      world
          .time()
          .after(
              (long) ((i + 0.5) * gapSeconds * NANOS_PER_SECOND),
              () -> count.takeTurn(world.newClient(), () -> {}));
    }
    return count.measure(0, clients * gapSeconds);
  }

  private long exponentialNanos(double meanSeconds) {
    return (long) (-Math.log(1 - entropy.nextDouble()) * meanSeconds * NANOS_PER_SECOND);
  }

  /** Counts what happens in a world. */
  private static final class Count {
    private final ModelCluster world;
    private int waiting;
    private long entries;
    private long waitedNanos;

    Count(ModelCluster world) {
      this.world = world;
    }

    void takeTurn(ModelCluster.Client client, Runnable whenDone) {
      long begunNanos = world.time().nowNanos();
      waiting++;
      client.takeTurn(
          () -> {
            waiting--;
            entries++;
            waitedNanos += world.time().nowNanos() - begunNanos;
            whenDone.run();
          });
    }

    Figures measure(double warmUpSeconds, double seconds) {
      runUntil(warmUpSeconds);
      long entriesBefore = entries;
      long waitedBefore = waitedNanos;
      long messagesBefore = world.messages();
      runUntil(warmUpSeconds + seconds);
      return new Figures(
          seconds,
          entries - entriesBefore,
          (waitedNanos - waitedBefore) / NANOS_PER_SECOND,
          world.messages() - messagesBefore,
          waiting);
    }

    private void runUntil(double seconds) {
      if (!world.time().runUntil((long) (seconds * NANOS_PER_SECOND))) {
        throw new IllegalStateException("the run does not end");
      }
    }
  }
}
