package io.testudo.mutex.dht.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.ReplicaKeys;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A lock is held for so long that each of its replicas goes elsewhere meanwhile, one after the
 * other: far fewer in the time of a lease than are tolerated.
 */
class SlowChurnTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BETWEEN_NANOS = 30 * SECOND;
  private static final int REPLICAS = 5;

  private static final class Holders implements RingWorld.Listener {
    final Map<RunningNode, Held> holders = new HashMap<>();

    @Override
    public void completed(RunningNode node, long call, Object result) {
      if (result instanceof Held held) {
        holders.put(node, held);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sigma-dht, prefix",
    "sigma-dht, ring",
    "e2e, prefix",
    "e2e, ring",
    "non-e2e, prefix",
    "non-e2e, ring"
  })
  void aHoldOutlastsTheMovesOfAllItsReplicas(String backend, String routing) {
    Holders holders = new Holders();
    LockTiming timing = LockTiming.standard().withMaxHold(Duration.ofSeconds(3));
    RingWorld world =
        RingWorld.lossless(
            Routings.ofWord(routing).orElseThrow(),
            DhtBackends.ofWord(backend).orElseThrow(),
            ReplicaPlan.of(REPLICAS, 4, timing),
            holders,
            Entropy.seeded(1));
    world.form(20);
    RunningNode first = Objects.requireNonNull(world.node(world.client()));
    RunningNode second = Objects.requireNonNull(world.node(world.client()));
    world.runUntil(2 * SECOND);
    first.call(new Acquire("x", 2 * SECOND, Acquire.FOREVER, 3_600 * SECOND, false));
    world.runUntil(4 * SECOND);
    assertThat(holders.holders).containsOnlyKeys(first);
    for (int i = 0; i < REPLICAS; i++) {
      world.join(new NodeId(ReplicaKeys.of("x", i)));
      world.runUntil(world.nowNanos() + BETWEEN_NANOS);
    }
    second.call(Acquire.of("x", 2 * SECOND, Acquire.FOREVER));
    world.runUntil(world.nowNanos() + BETWEEN_NANOS);
    assertThat(holders.holders).containsOnlyKeys(first);
    Held held = Objects.requireNonNull(holders.holders.get(first));
    first.call(new ReleaseCall(held.lock(), held.token()));
    world.runUntil(world.nowNanos() + BETWEEN_NANOS);
    assertThat(holders.holders).containsKey(second);
  }
}
