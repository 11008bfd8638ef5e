package io.testudo.client.keeping;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.client.roster.Roster;
import io.testudo.client.roster.RosterType;
import io.testudo.mutex.Lease;
import io.testudo.mutex.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clocks that drift, processes that stand still or die, operations that take long. */
class RosterSimulationTest {
  private static final long MILLI = VirtualWorld.MILLI;
  private static final double DRIFT = 0.1;
  private static final int SEEDS = 21;

  /** Slow operations show who believes too early, quick ones who believes too long. */
  private static final long[] DELAYS = {2 * MILLI, 20 * MILLI, 400 * MILLI};

  private static final Duration HOLD = Duration.ofSeconds(1);
  private static final LockOptions OPTIONS =
      LockOptions.standard().withHold(HOLD).withEndlessRenewal();

  /** One world, and what must hold in it. */
  private static final class Scenario {
    private final VirtualWorld world;
    private final VirtualObject<Roster> object;
    private final RosterType type;
    private final int size;
    private final List<Actor> actors = new ArrayList<>();
    private final Map<Lease, Integer> open = new LinkedHashMap<>();
    private boolean calm;
    private long granted;
    private long lastFence;

    Scenario(long seed, RosterType type, int size, long longestNanos) {
      this.world = new VirtualWorld(seed);
      this.type = type;
      this.size = size;
      this.object = new VirtualObject<>(world, type.type(), longestNanos);
    }

    /** At the edges of what is allowed: between them less can go wrong. */
    double rate() {
      return world.random.nextBoolean() ? 1 - DRIFT : 1 + DRIFT;
    }

    Actor actor(double rate) {
      Actor actor = new Actor(rate);
      actors.add(actor);
      return actor;
    }

    void check() {
      int taken = 0;
      for (Map.Entry<Lease, Integer> lease : open.entrySet()) {
        taken += lease.getKey().isHeld() ? lease.getValue() : 0;
      }
      assertThat(taken).as("held at %s", world.trueNanos()).isLessThanOrEqualTo(size);
      assertThat(object.state().holders()).hasSizeLessThanOrEqualTo(Roster.MAX_HOLDERS);
      assertThat(object.state().lastFence()).isGreaterThanOrEqualTo(lastFence);
      lastFence = object.state().lastFence();
    }

    /** Asks, holds, gives back, again and again. */
    private final class Actor {
      private final VirtualWorld.VirtualNode process;
      private final VirtualObject<Roster>.Handle handle;
      private final RosterKeeper keeper;
      private final List<Lease> mine = new ArrayList<>();
      private int served;
      private boolean isWaiting;

      Actor(double rate) {
        this.process = world.new VirtualNode("p" + actors.size(), rate);
        this.handle = object.handle(process);
        this.keeper = new RosterKeeper(handle, type, size, process.around(DRIFT));
      }

      void ask() {
        int weight = world.random.nextInt(4) == 0 ? size : 1;
        LockOptions options =
            calm || world.random.nextBoolean()
                ? OPTIONS
                : OPTIONS.withMaxWait(Duration.ofMillis(world.random.nextInt(2_000)));
        isWaiting = true;
        CompletableFuture<Lease> asked = keeper.enter(weight, options);
        if (!calm && world.random.nextInt(5) == 0) {
          world.at(
              world.random.nextInt(1_500) * MILLI, () -> process.run(() -> asked.cancel(false)));
        }
        var unused =
            asked.whenComplete(
                (lease, error) -> {
                  isWaiting = false;
                  if (lease != null) {
                    holds(lease, weight);
                  } else {
                    again();
                  }
                });
      }

      private void holds(Lease lease, int weight) {
        served++;
        granted++;
        open.put(lease, weight);
        mine.add(lease);
        lease.onLost(() -> open.remove(lease));
        world.at(
            world.random.nextInt(2_500) * MILLI,
            () ->
                process.run(
                    () -> {
                      open.remove(lease);
                      lease.close();
                      again();
                    }));
      }

      private void again() {
        world.at(world.random.nextInt(500) * MILLI, () -> process.run(this::ask));
      }
    }

    void disturb() {
      if (calm) {
        return;
      }
      Actor one = actors.get(world.random.nextInt(actors.size()));
      if (world.random.nextInt(4) == 0) {
        one.process.die();
        one.isWaiting = false;
        one.mine.forEach(open::remove);
        Actor other = actor(rate());
        other.ask();
      } else {
        one.process.pause(world.random.nextInt(2_500) * MILLI);
      }
      world.at(world.random.nextInt(3_000) * MILLI, this::disturb);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "2, 3", "3, 4"})
  void noMoreHoldThanThereIs(int size, int block) {
    long granted = 0;
    for (long seed = block * 1_000L; seed < block * 1_000L + SEEDS; seed++) {
      Scenario scenario =
          new Scenario(seed, RosterType.SEMAPHORE, size, DELAYS[(int) (seed % DELAYS.length)]);
      for (int i = 0; i < 4; i++) {
        scenario.actor(scenario.rate()).ask();
      }
      scenario.world.at(1_000 * MILLI, scenario::disturb);
      scenario.world.run(30_000 * MILLI, scenario::check);
      scenario.calm = true;
      scenario.world.run(20_000 * MILLI, scenario::check);
      granted += scenario.granted;
      for (Scenario.Actor actor : scenario.actors) {
        assertThat(actor.process.isDead() || actor.served > 0)
            .as("%s is served, seed %s", actor.process.name, seed)
            .isTrue();
      }
      long settled = scenario.granted;
      scenario.world.run(20_000 * MILLI, scenario::check);
      assertThat(scenario.granted).as("goes on, seed %s", seed).isGreaterThan(settled);
      Set<String> dead = new LinkedHashSet<>();
      scenario.actors.stream()
          .filter(actor -> actor.process.isDead())
          .forEach(actor -> dead.add(actor.process.name));
      assertThat(scenario.object.state().members().map(member -> member.owner()))
          .as("what the dead left, seed %s", seed)
          .doesNotContainAnyElementsOf(dead.isEmpty() ? List.of("nobody") : dead);
    }
    assertThat(granted).isGreaterThan(300);
  }
}
