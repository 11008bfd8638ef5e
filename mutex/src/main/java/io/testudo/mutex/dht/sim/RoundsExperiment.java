package io.testudo.mutex.dht.sim;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The experiments of the paper on E2E and Non-E2E: in each round some members ask for locks, and
 * each that holds some releases one with probability 1/2. Leases and signs of life outlast a run,
 * since the paper has neither; no message is lost.
 */
public final class RoundsExperiment implements RingWorld.Listener {
  private static final long ROUND_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long HOP_NANOS = Duration.ofMillis(10).toNanos();
  private static final long HOLD_NANOS = Duration.ofHours(1).toNanos();
  private static final double RELEASES = 0.5;
  private static final LockTiming TIMING =
      new LockTiming(
          Duration.ofMillis(100).toNanos(),
          0.01,
          Duration.ofMinutes(10).toNanos(),
          Duration.ofHours(2).toNanos(),
          10_000);

  /**
   * What is run.
   *
   * @param nodes members
   * @param resources locks that are asked for
   * @param requests in each round, from members drawn at random
   * @param churn members that come or go in each round, half of them each
   */
  public record Setting(
      DhtBackends backend,
      Routings routing,
      int nodes,
      int replicas,
      int votes,
      int resources,
      int rounds,
      int requests,
      int churn) {
    public Setting {
      checkArgument(nodes > churn / 2, "%s of %s members cannot go", churn / 2, nodes);
    }

    /** As the paper has it: 65 locks, 20 rounds of 20 requests, no churn. */
    public static Setting ofPaper(
        DhtBackends backend, Routings routing, int nodes, int replicas, int votes) {
      return new Setting(backend, routing, nodes, replicas, votes, 65, 20, 20, 0);
    }

    public Setting withResources(int count) {
      return new Setting(backend, routing, nodes, replicas, votes, count, rounds, requests, churn);
    }

    public Setting withChurn(int count) {
      return new Setting(
          backend, routing, nodes, replicas, votes, resources, rounds, requests, count);
    }
  }

  /**
   * What a run gave.
   *
   * @param direct messages of the mutex that were sent directly
   * @param hops hops of its messages through the overlay
   * @param receipts of hops
   * @param maintenance all else of the overlay
   * @param entries how often a lock was entered
   * @param overlaps how often while another held it
   * @param loads messages of the mutex that each member handled, in order
   */
  public record Outcome(
      long direct,
      long hops,
      long receipts,
      long maintenance,
      long entries,
      long overlaps,
      ImmutableList<Integer> loads) {
    /** Messages of the mutex, each hop counted. */
    public long ofMutex() {
      return direct + hops;
    }
  }

  private record Wish(NodeId node, long call) {}

  private record Holding(NodeId node, String lock, long token) {}

  private final Setting setting;
  private final Entropy entropy;
  private final RingWorld world;
  private final HolderWatch watch = new HolderWatch(true);
  private final Map<Wish, String> wishes = new LinkedHashMap<>();
  private final Map<Holding, RunningNode> held = new LinkedHashMap<>();
  private final Set<NodeId> requesters = new HashSet<>();

  private RoundsExperiment(Setting setting, long seed) {
    this.setting = setting;
    this.entropy = Entropy.seeded(seed);
    ReplicaPlan plan = ReplicaPlan.of(setting.replicas(), setting.votes(), TIMING);
    long probeNanos = setting.churn() > 0 ? ROUND_NANOS / 5 : ROUND_NANOS;
    this.world =
        new RingWorld(
            setting.routing(),
            new OverlayTiming(8 * HOP_NANOS, probeNanos, 3),
            RingFaults.none(HOP_NANOS),
            (self, own) -> setting.backend().maker(plan, own),
            this,
            entropy.fork(1));
  }

  /** Runs it. */
  public static Outcome run(Setting setting, long seed) {
    return new RoundsExperiment(setting, seed).play();
  }

  private Outcome play() {
    world.form(setting.nodes());
    for (int round = 0; round < setting.rounds(); round++) {
      for (int i = 0; i < setting.requests(); i++) {
        world.after(entropy.nextLong(ROUND_NANOS / 4), this::request);
      }
      for (int i = 0; i < setting.churn() / 2; i++) {
        world.after(entropy.nextLong(ROUND_NANOS), this::removeOne);
        world.after(entropy.nextLong(ROUND_NANOS), world::join);
      }
      world.after(ROUND_NANOS * 3 / 4, this::releaseSome);
      world.runUntil(world.nowNanos() + ROUND_NANOS);
    }
    RingTraffic traffic = world.traffic();
    return new Outcome(
        traffic.of(RingTraffic.Kind.PROTOCOL),
        traffic.of(RingTraffic.Kind.HOP),
        traffic.of(RingTraffic.Kind.RECEIPT),
        traffic.of(RingTraffic.Kind.MAINTENANCE),
        watch.entries(),
        watch.overlaps(),
        loads());
  }

  private ImmutableList<Integer> loads() {
    ImmutableList.Builder<Integer> loads = ImmutableList.builder();
    world.members().all().forEach(id -> loads.add(world.handled().getOrDefault(id, 0)));
    return ImmutableList.sortedCopyOf(loads.build());
  }

  private void request() {
    NodeId id = world.members().any(entropy);
    RunningNode node = world.node(id);
    String lock = "resource-" + entropy.nextInt(setting.resources());
    boolean wantsIt =
        wishes.entrySet().stream()
                .anyMatch(one -> one.getKey().node().equals(id) && one.getValue().equals(lock))
            || held.keySet().stream()
                .anyMatch(one -> one.node().equals(id) && one.lock().equals(lock));
    if (node != null && node.machine().overlay().hasJoined() && !wantsIt) {
      requesters.add(id);
      long call = node.nextCall();
      wishes.put(new Wish(id, call), lock);
      node.call(Acquire.of(lock, HOLD_NANOS, Acquire.FOREVER));
    }
  }

  private void removeOne() {
    NodeId gone = world.members().any(entropy);
    if (!requesters.contains(gone)) { // As in the paper.
      world.kill(gone);
    }
  }

  private void releaseSome() {
    Set<NodeId> asked = new HashSet<>();
    for (Map.Entry<Holding, RunningNode> one : ImmutableList.copyOf(held.entrySet())) {
      Holding holding = one.getKey();
      if (asked.add(holding.node()) && entropy.chance(RELEASES)) {
        held.remove(holding);
        watch.left(one.getValue(), holding.lock(), holding.token());
        one.getValue().call(new ReleaseCall(holding.lock(), holding.token()));
      }
    }
  }

  @Override
  public void completed(RunningNode node, long call, Object result) {
    if (result instanceof Held got) {
      wishes.remove(new Wish(node.id(), call));
      held.put(new Holding(node.id(), got.lock(), got.token()), node);
      watch.entered(node, got.lock(), got.token());
    }
  }

  @Override
  public void failed(RunningNode node, long call, Throwable reason) {
    wishes.remove(new Wish(node.id(), call));
  }

  @Override
  public void told(RunningNode node, Object event) {
    if (event instanceof LeaseLost lost
        && held.remove(new Holding(node.id(), lost.lock(), lost.token())) != null) {
      watch.left(node, lost.lock(), lost.token());
    }
  }
}
