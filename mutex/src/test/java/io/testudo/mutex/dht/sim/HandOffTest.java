package io.testudo.mutex.dht.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Contenders that ask again at once, as on sockets: messages take a fraction of a millisecond,
 * while all waiting is meant for a network a thousand times as slow.
 */
class HandOffTest {
  private static final long MICRO = 1_000L;
  private static final long MILLI = 1_000 * MICRO;
  private static final long SECOND = 1_000 * MILLI;
  private static final LockTiming TIMING =
      LockTiming.standard().withMaxHold(Duration.ofSeconds(5)).withRefresh(Duration.ofMillis(300));

  /** Some who contend for one lock. */
  private static final class Race implements RingWorld.Listener {
    final RingWorld world;
    int entries;
    long releasedNanos;
    long longestNanos;

    Race(DhtBackends mutex, Routings routing, long seed) {
      ReplicaPlan plan = ReplicaPlan.of(5, 4, TIMING);
      this.world =
          new RingWorld(
              routing,
              new OverlayTiming(300 * MILLI, 300 * MILLI, 4),
              new RingFaults(0, 0, 50 * MICRO, 400 * MICRO, 0),
              (self, own) -> mutex.maker(plan, own),
              this,
              Entropy.seeded(seed));
    }

    void run() {
      world.form(10);
      world.runUntil(20 * SECOND); // Members of zone voting have their votes by then.
      List<RunningNode> contenders = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        contenders.add(Objects.requireNonNull(world.node(world.client())));
      }
      world.runUntil(22 * SECOND);
      releasedNanos = world.nowNanos();
      contenders.forEach(Race::ask);
      world.runUntil(23 * SECOND);
    }

    private static void ask(RunningNode node) {
      node.call(Acquire.of("orders", 3 * SECOND, Acquire.FOREVER));
    }

    @Override
    public void completed(RunningNode node, long call, Object result) {
      if (result instanceof Held held) {
        entries++;
        longestNanos = Math.max(longestNanos, world.nowNanos() - releasedNanos);
        world.after(100 * MICRO, () -> release(node, held));
      }
    }

    private void release(RunningNode node, Held held) {
      releasedNanos = world.nowNanos();
      node.call(new ReleaseCall(held.lock(), held.token()));
      ask(node);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "e2e, prefix, 5",
    "e2e, ring, 1",
    "e2e, ring, 2",
    "non-e2e, prefix, 3",
    "non-e2e, ring, 1",
    "zone, prefix, 1",
  })
  void waitsForNoTimeThatIsMeantForSlowNetworks(String backend, String routing, long seed) {
    Race race =
        new Race(
            DhtBackends.ofWord(backend).orElseThrow(),
            Routings.ofWord(routing).orElseThrow(),
            seed);
    race.run();
    assertThat(race.longestNanos).isLessThan(TIMING.delayNanos());
    assertThat(race.world.nowNanos() - race.releasedNanos).isLessThan(TIMING.delayNanos());
    assertThat(race.entries).isGreaterThan(500);
  }
}
