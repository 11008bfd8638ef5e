package io.testudo.mutex.dht.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.testudo.mutex.dht.DhtBackend;
import io.testudo.mutex.dht.DhtNode;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Overlay;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.sigma.GrantId;
import io.testudo.quorum.protocol.Call;
import io.testudo.quorum.protocol.CallId;
import io.testudo.quorum.protocol.Message;
import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.protocol.Part;
import io.testudo.quorum.spi.Entropy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rings of nodes that route messages to the owners of keys, whoever comes and goes. */
class OverlayScenarioTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final OverlayTiming TIMING = new OverlayTiming(300 * MILLI, 500 * MILLI, 4);

  private record Parcel(long number) implements Message {}

  private record SendParcel(long key, long number) implements Call<Boolean> {}

  /** Where a parcel has arrived, and over how many hops. */
  private record Arrival(long number, NodeId at) {}

  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<Long> passed = new ArrayList<>();
  private final Entropy entropy = Entropy.seeded(7);
  private long lastParcel;

  /** Sends parcels, and says where they come. */
  private final class Post extends Part<NodeId> implements DhtBackend {
    private final Overlay overlay;

    Post(Part<NodeId> node, Overlay overlay) {
      super(node);
      this.overlay = overlay;
      onCall(
          SendParcel.class,
          (CallId<Boolean> id, SendParcel call) -> {
            overlay.route(call.key(), new Parcel(call.number()));
            complete(id, true);
          });
    }

    @Override
    public void start() {}

    @Override
    public void cancelled(CallId<?> call) {}

    @Override
    public ImmutableMap<Integer, GrantId> grants(String lock, long token, Moment now) {
      return ImmutableMap.of();
    }

    @Override
    public int entries() {
      return 0;
    }

    @Override
    public boolean forward(long key, Message payload, @Nullable NodeId previous, NodeId next) {
      passed.add(((Parcel) payload).number());
      return true;
    }

    @Override
    public void deliver(long key, Message payload) {
      arrivals.add(new Arrival(((Parcel) payload).number(), overlay.self()));
    }

    @Override
    public void neighboursChanged() {}
  }

  private static final class Silent implements RingWorld.Listener {
    @Override
    public void completed(RunningNode node, long call, Object result) {}

    @Override
    public void failed(RunningNode node, long call, Throwable reason) {}

    @Override
    public void told(RunningNode node, Object event) {}
  }

  private RingWorld world(Routings routings, RingFaults faults) {
    return new RingWorld(
        routings, TIMING, faults, (self, own) -> Post::new, new Silent(), entropy.fork(1));
  }

  private void run(RingWorld world, long nanos) {
    world.runUntil(world.nowNanos() + nanos);
  }

  private void assertDelivers(RingWorld world, NodeId from, int count) {
    RunningNode node = Objects.requireNonNull(world.node(from));
    Map<Long, Long> keys = new HashMap<>();
    for (int i = 0; i < count; i++) {
      long key = entropy.nextLong();
      keys.put(++lastParcel, key);
      node.call(new SendParcel(key, lastParcel));
    }
    run(world, 10 * SECOND);
    keys.forEach(
        (number, key) ->
            assertThat(arrivals)
                .as("parcel %s to %s from %s", number, new NodeId(key), from)
                .filteredOn(arrival -> arrival.number() == number)
                .extracting(Arrival::at)
                .containsOnly(world.members().owner(key)));
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void aFormedRingDeliversToTheOwnerInFewHops(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(600);
    assertDelivers(world, world.members().any(entropy), 40);
    // A member passes a parcel on; 600 members are 2.3 digits of 16, or 4.6 halvings on average.
    double hops = passed.size() / 40.0;
    assertThat(hops).isBetween(1.0, routings == Routings.PREFIX ? 3.5 : 7.0);
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void aRingGrowsFromOneMemberByJoins(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(1);
    for (int i = 0; i < 40; i++) {
      world.join();
      run(world, SECOND);
    }
    run(world, 20 * SECOND);
    for (RunningNode node : world.nodes()) {
      assertThat(node.machine().overlay().hasJoined()).isTrue();
      assertThat(node.machine().overlay().routing().zone().contains(node.id().bits())).isTrue();
    }
    assertThat(shares(world)).isBetween(0.999_999, 1.000_001);
    assertDelivers(world, world.members().any(entropy), 30);
  }

  private static double shares(RingWorld world) {
    double sum = 0;
    for (RunningNode node : world.nodes()) {
      sum += node.machine().overlay().routing().zone().share();
    }
    return sum;
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void neighboursTakeOverTheZonesOfTheDead(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(60);
    for (int i = 0; i < 20; i++) {
      world.kill(world.members().any(entropy));
    }
    run(world, 30 * SECOND);
    assertThat(shares(world)).isBetween(0.999_999, 1.000_001);
    assertDelivers(world, world.members().any(entropy), 30);
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void aMemberThatLeavesIsMissedAtOnce(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(30);
    world.leave(world.members().any(entropy));
    run(world, 10 * MILLI);
    assertThat(shares(world)).isBetween(0.999_999, 1.000_001);
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void aMemberComesBackWithTheSameIdAndNoMemory(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(30);
    NodeId id = world.members().any(entropy);
    world.kill(id);
    world.join(id);
    run(world, 20 * SECOND);
    assertThat(world.node(id)).isNotNull();
    assertThat(shares(world)).isBetween(0.999_999, 1.000_001);
    assertDelivers(world, id, 10);
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void aClientBesideTheRingSendsThroughMembers(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(30);
    NodeId client = world.client();
    assertDelivers(world, client, 10);
    assertThat(world.members().contains(client)).isFalse();
    Objects.requireNonNull(world.node(client)).call(new SendParcel(1, ++lastParcel));
    run(world, 50 * MILLI); // At once: later it would be missed, as one that answers no probe.
    for (RunningNode node : world.nodes()) {
      assertThat(node.machine().overlay().routing().known()).doesNotContain(client);
    }
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void aClientFindsOtherMembersBeforeThoseItKnewAreGone(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(30);
    List<NodeId> old = world.members().all();
    NodeId client = world.client();
    for (NodeId one : old) {
      world.join();
      run(world, 5 * SECOND);
      world.kill(one);
    }
    run(world, 20 * SECOND);
    assertDelivers(world, client, 5);
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void aClientFindsOthersThoughAllItBeganWithAreGoneAtOnce(Routings routings) {
    RingWorld world = world(routings, RingFaults.none(MILLI));
    world.form(30);
    NodeId client = world.client();
    List<NodeId> contacts = Objects.requireNonNull(world.node(client)).machine().overlay().known();
    run(world, 10 * MILLI); // As long as a question and its answer take.
    contacts.forEach(world::kill);
    run(world, 20 * SECOND);
    assertDelivers(world, client, 5);
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void whatIsRepeatedOnTheWayArrivesOnce(Routings routings) {
    RingWorld world = world(routings, new RingFaults(0, 0.9, MILLI, MILLI, 0));
    world.form(200);
    assertDelivers(world, world.members().any(entropy), 10);
    assertThat(arrivals).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void lostReceiptsDoNotMultiplyMessages(Routings routings) {
    RingWorld world = world(routings, new RingFaults(0.1, 0.3, MILLI, 40 * MILLI, 0));
    world.form(40);
    for (int i = 0; i < 6; i++) {
      world.kill(world.members().any(entropy));
      world.join();
      run(world, 2 * SECOND);
    }
    world.setFaults(RingFaults.none(MILLI));
    run(world, 30 * SECOND);
    assertDelivers(world, world.members().any(entropy), 20);
    long before = world.traffic().all();
    run(world, 10 * SECOND);
    // Each member probes two neighbours twice a second, and both answer: nothing else goes on.
    assertThat(world.traffic().all() - before).isLessThan(40 * 20 * 6L);
  }

  @ParameterizedTest
  @EnumSource(Routings.class)
  void thousandsOfMembersAreARingToo(Routings routings) {
    RingWorld world =
        new RingWorld(
            routings,
            new OverlayTiming(300 * MILLI, 600 * SECOND, 4),
            RingFaults.none(MILLI),
            (NodeId self, Entropy own) -> (DhtNode.Maker) Post::new,
            new Silent(),
            entropy.fork(1));
    world.form(10_000);
    assertDelivers(world, world.members().any(entropy), 20);
  }
}
