package io.testudo.mutex.dht.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What locks cost in messages, as docs/dht.md says. */
class MessageCountTest implements RingWorld.Listener {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final int REPLICAS = 5;

  private final List<Held> got = new ArrayList<>();

  @Override
  public void completed(RunningNode node, long call, Object result) {
    if (result instanceof Held held) {
      got.add(held);
    }
  }

  @Override
  public void failed(RunningNode node, long call, Throwable reason) {
    throw new AssertionError(reason);
  }

  @Override
  public void told(RunningNode node, Object event) {}

  private RingWorld world(DhtBackends backend) {
    ReplicaPlan plan = ReplicaPlan.of(REPLICAS, 4, LockTiming.standard());
    RingWorld world =
        new RingWorld(
            Routings.PREFIX,
            new OverlayTiming(400 * MILLI, 1_000 * SECOND, 3),
            RingFaults.none(10 * MILLI),
            (self, own) -> backend.maker(plan, own),
            this,
            Entropy.seeded(3));
    world.form(200);
    return world;
  }

  /** Direct messages of one turn, with nobody else. */
  private long turn(RingWorld world, RunningNode node) {
    long before = world.traffic().of(RingTraffic.Kind.PROTOCOL);
    node.call(Acquire.of("x", SECOND, Acquire.FOREVER));
    world.runUntil(world.nowNanos() + SECOND / 2);
    Held held = got.remove(0);
    node.call(new ReleaseCall(held.lock(), held.token()));
    world.runUntil(world.nowNanos() + SECOND / 2);
    return world.traffic().of(RingTraffic.Kind.PROTOCOL) - before;
  }

  private static RunningNode client(RingWorld world) {
    NodeId id = world.client();
    RunningNode node = world.node(id);
    if (node == null) {
      throw new AssertionError("the client did not start");
    }
    return node;
  }

  @Test
  void sigmaLooksReplicasUpOnceAndThenNeedsThreeMessagesForEach() {
    RingWorld world = world(DhtBackends.SIGMA_DHT);
    RunningNode node = client(world);
    assertThat(turn(world, node)).isEqualTo(4 * REPLICAS); // With the answers to lookups.
    long hops = world.traffic().of(RingTraffic.Kind.HOP);
    assertThat(hops).isGreaterThanOrEqualTo(REPLICAS);
    assertThat(turn(world, node)).isEqualTo(3 * REPLICAS);
    assertThat(world.traffic().of(RingTraffic.Kind.HOP)).isEqualTo(hops);
  }

  @ParameterizedTest
  @CsvSource({
    "sigma-dht-routed, 1, 2", // direct: RESPONSE; routed: REQUEST, RELEASE
    "e2e, 2, 3", // RESPONSE, WinnerReply; REQUEST, IAMWINNER, RELEASE
    "e2e-unconfirmed, 1, 3",
    "non-e2e, 1, 2", // GRANTREQ; REQUEST, RELEASE
  })
  void anUncontendedTurnTakesSoManyMessagesForEachReplica(String word, int direct, int routed) {
    RingWorld world = world(DhtBackends.ofWord(word).orElseThrow());
    RunningNode node = client(world);
    assertThat(turn(world, node)).isEqualTo((long) direct * REPLICAS);
    long hops = world.traffic().of(RingTraffic.Kind.HOP);
    assertThat(hops).isGreaterThanOrEqualTo((long) routed * REPLICAS);
    assertThat(hops % routed).as("each way is the same").isZero();
    assertThat(turn(world, node)).isEqualTo((long) direct * REPLICAS);
    assertThat(world.traffic().of(RingTraffic.Kind.HOP)).isEqualTo(2 * hops);
  }

  @ParameterizedTest
  @CsvSource({"sigma-dht", "sigma-dht-routed", "e2e", "e2e-unconfirmed", "non-e2e"})
  void theRoundsOfThePaperRun(String word) {
    RoundsExperiment.Outcome outcome =
        RoundsExperiment.run(
            new RoundsExperiment.Setting(
                DhtBackends.ofWord(word).orElseThrow(), Routings.RING, 60, 3, 2, 5, 6, 8, 0),
            1);
    assertThat(outcome.entries()).isGreaterThan(12);
    assertThat(outcome.overlaps()).isZero();
    assertThat(outcome.ofMutex()).isPositive();
    assertThat(outcome.loads()).hasSizeGreaterThan(40).isSorted();
  }
}
