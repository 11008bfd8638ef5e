package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.backends.DhtBackends;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.Routings;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LockTiming;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;

/**
 * The setting of the paper of 2004 under takeover: members die after a time drawn at random, their
 * neighbours take their keys over with nothing, and others come instead. Clients beside the ring
 * contend for one lock all the time.
 */
public final class NodeLifeExperiment implements RingWorld.Listener {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final int MEMBERS = 64;
  private static final int CLIENTS = 8;
  private static final long HOLD_NANOS = SECOND;
  private static final long KEPT_NANOS = 50 * MILLI;
  private static final long RUN_NANOS = 120 * SECOND;
  private static final LockTiming TIMING = LockTiming.standard().withMaxHold(Duration.ofSeconds(3));
  private static final String LOCK = "contended";

  /**
   * What is run.
   *
   * @param lifeSeconds of a member on average; 0 for ever
   */
  public record Setting(
      DhtBackends backend, Routings routing, int replicas, int votes, int lifeSeconds) {}

  /**
   * What came of it.
   *
   * @param perSecond how often the lock was entered
   * @param overlaps how often while another held it
   * @param deaths of members
   */
  public record Outcome(double perSecond, long overlaps, long deaths) {}

  private final Setting setting;
  private final Entropy entropy;
  private final RingWorld world;
  private final HolderWatch watch = new HolderWatch(true);
  private long deaths;

  private NodeLifeExperiment(Setting setting, long seed) {
    this.setting = setting;
    this.entropy = Entropy.seeded(seed);
    ReplicaPlan plan = ReplicaPlan.of(setting.replicas(), setting.votes(), TIMING);
    this.world =
        RingWorld.lossless(setting.routing(), setting.backend(), plan, this, entropy.fork(1));
  }

  /** Runs it. */
  public static Outcome run(Setting setting, long seed) {
    return new NodeLifeExperiment(setting, seed).play();
  }

  private Outcome play() {
    world.form(MEMBERS);
    for (NodeId id : world.members().all()) {
      limit(id);
    }
    for (int i = 0; i < CLIENTS; i++) {
      NodeId client = world.client();
      world.after(entropy.nextLong(SECOND), () -> ask(client));
    }
    world.runUntil(RUN_NANOS);
    return new Outcome(watch.entries() * (double) SECOND / RUN_NANOS, watch.overlaps(), deaths);
  }

  private void limit(NodeId id) {
    if (setting.lifeSeconds() > 0) {
      double seconds = -Math.log(1 - entropy.nextDouble()) * setting.lifeSeconds();
      world.after((long) (seconds * SECOND), () -> replace(id));
    }
  }

  private void replace(NodeId id) {
    deaths++;
    world.kill(id);
    limit(world.join());
  }

  private void ask(NodeId client) {
    RunningNode node = world.node(client);
    if (node != null) {
      node.call(Acquire.of(LOCK, HOLD_NANOS, Acquire.FOREVER));
    }
  }

  @Override
  public void completed(RunningNode node, long call, Object result) {
    if (result instanceof Held held) {
      watch.entered(node, held.lock(), held.token());
      world.after(KEPT_NANOS, () -> release(node, held));
    }
  }

  private void release(RunningNode node, Held held) {
    if (watch.isHeld(node, held.lock(), held.token())) {
      watch.left(node, held.lock(), held.token());
      node.call(new ReleaseCall(held.lock(), held.token()));
      ask(node.id());
    }
  }

  @Override
  public void failed(RunningNode node, long call, Throwable reason) {
    ask(node.id());
  }

  @Override
  public void told(RunningNode node, Object event) {
    if (event instanceof LeaseLost lost && watch.isHeld(node, lost.lock(), lost.token())) {
      watch.left(node, lost.lock(), lost.token());
      ask(node.id());
    }
  }
}
