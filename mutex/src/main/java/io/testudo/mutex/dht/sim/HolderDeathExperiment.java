package io.testudo.mutex.dht.sim;

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
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some wait for a lock, and its holder dies, or releases it: when they get it then, and whether.
 */
public final class HolderDeathExperiment implements RingWorld.Listener {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final int MEMBERS = 60;
  private static final long HOLD_NANOS = 3 * SECOND;
  private static final long KEPT_NANOS = 50 * MILLI;
  private static final long LONGEST_NANOS = 120 * SECOND;
  private static final LockTiming TIMING = LockTiming.standard().withMaxHold(Duration.ofSeconds(3));
  private static final String LOCK = "contended";

  /**
   * What is run.
   *
   * @param dies whether the holder dies; else it releases the lock
   */
  public record Setting(
      DhtBackends backend, Routings routing, int replicas, int votes, int waiters, boolean dies) {}

  /**
   * What came of it.
   *
   * @param served how many of those that waited got the lock
   * @param firstSeconds after which the first of them did
   * @param meanSeconds after which they did on average, of those that did
   */
  public record Outcome(int served, double firstSeconds, double meanSeconds) {}

  private final Setting setting;
  private final Entropy entropy;
  private final RingWorld world;
  private final Set<NodeId> waiting = new HashSet<>();
  private @Nullable Held held;
  private @Nullable RunningNode holder;
  private long struckNanos;
  private int served;
  private long firstNanos;
  private long sumNanos;

  private HolderDeathExperiment(Setting setting, long seed) {
    this.setting = setting;
    this.entropy = Entropy.seeded(seed);
    ReplicaPlan plan = ReplicaPlan.of(setting.replicas(), setting.votes(), TIMING);
    this.world =
        RingWorld.lossless(setting.routing(), setting.backend(), plan, this, entropy.fork(1));
  }

  /** Runs it. */
  public static Outcome run(Setting setting, long seed) {
    return new HolderDeathExperiment(setting, seed).play();
  }

  private Outcome play() {
    world.form(MEMBERS);
    world.runUntil(10 * SECOND);
    RunningNode first = ask(world.members().any(entropy), HOLD_NANOS);
    world.runUntil(world.nowNanos() + 2 * SECOND);
    while (waiting.size() < setting.waiters()) {
      NodeId id = world.members().any(entropy);
      if (!id.equals(first.id()) && waiting.add(id)) {
        ask(id, 0);
      }
    }
    world.runUntil(world.nowNanos() + 2 * SECOND);
    struckNanos = world.nowNanos();
    Held lock = held;
    if (setting.dies() || lock == null) {
      world.kill(first.id());
    } else {
      first.call(new ReleaseCall(lock.lock(), lock.token()));
    }
    while (served < setting.waiters() && world.nowNanos() < struckNanos + LONGEST_NANOS) {
      world.runUntil(world.nowNanos() + SECOND);
    }
    double perSecond = SECOND;
    return new Outcome(
        served, firstNanos / perSecond, served == 0 ? 0 : sumNanos / perSecond / served);
  }

  /** Asks at a member; the holder keeps the lock by renewals. */
  private RunningNode ask(NodeId id, long keepNanos) {
    RunningNode node = world.node(id);
    if (node == null) {
      throw new IllegalStateException("there is no node " + id);
    }
    node.call(
        new Acquire(LOCK, HOLD_NANOS, Acquire.FOREVER, keepNanos > 0 ? LONGEST_NANOS : 0, false));
    return node;
  }

  @Override
  public void completed(RunningNode node, long call, Object result) {
    if (!(result instanceof Held got)) {
      return;
    }
    if (holder == null) {
      holder = node;
      held = got;
      return;
    }
    long nanos = world.nowNanos() - struckNanos;
    firstNanos = served == 0 ? nanos : firstNanos;
    sumNanos += nanos;
    served++;
    world.after(KEPT_NANOS, () -> node.call(new ReleaseCall(got.lock(), got.token())));
  }
}
