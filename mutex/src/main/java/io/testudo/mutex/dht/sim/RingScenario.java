package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.ReplicaKeys;
import io.testudo.mutex.dht.backends.ReplicaPlan;
import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.dht.overlay.OverlayTiming;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.quorum.sim.Trace;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.spi.Entropy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One run: a small ring with contenders in it and beside it, a time of faults and churn, then one
 * of calm in which everybody must finish and nothing may be left over.
 */
public final class RingScenario implements RingWorld.Listener {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long FAULTY_NANOS = 30 * SECOND;
  private static final long CALM_NANOS = 180 * SECOND;

  /** Not much longer than contenders ask for: what fades is waited for in each run. */
  private static final Duration LONGEST_HOLD = Duration.ofSeconds(3);

  /** Longer than any lease or entry of a hop lasts. */
  private static final long FADING_NANOS = 90 * SECOND;

  /** A reset shows at the latest when a neighbour has noticed it, and matters for a lease more. */
  private static final long RESET_WINDOW_NANOS = 25 * SECOND;

  private static final int FEWEST_MEMBERS = 12;
  private static final int MORE_MEMBERS = 20;
  private static final int LEAST_OPERATIONS = 20;
  private static final List<String> LOCKS = List.of("a", "b");

  /** Many silences, so that loss alone hardly ever makes a neighbour take keys over. */
  private static final OverlayTiming OVERLAY =
      new OverlayTiming(300 * MILLI, Duration.ofMillis(500).toNanos(), 8);

  private final RingSettings settings;
  private final Entropy entropy;
  private final RingWorld world;
  private final HolderWatch watch;
  private final ResetBudget budget;
  private final List<RingContender> contenders = new ArrayList<>();
  private final RunResult result = new RunResult();

  private RingScenario(RingSettings settings, long seed) {
    this.settings = settings;
    ReplicaPlan plan = settings.plan().withMaxHold(LONGEST_HOLD);
    this.entropy = Entropy.seeded(seed);
    this.watch = new HolderWatch(!settings.isWithinBound());
    this.world =
        new RingWorld(
            settings.routing(),
            OVERLAY,
            new RingFaults(
                0.08 * entropy.nextDouble(),
                0.2 * entropy.nextDouble(),
                MILLI,
                (5 + entropy.nextInt(60)) * MILLI,
                0.01),
            (self, own) -> settings.backend().maker(plan, own),
            this,
            entropy.fork(1));
    this.budget =
        new ResetBudget(
            world,
            LOCKS,
            settings.plan().thresholds().servers(),
            settings.resets(),
            RESET_WINDOW_NANOS);
  }

  /** What one run did. */
  public static final class RunResult {
    private long steps;
    private long entries;
    private long overlaps;
    private long churned;
    private long attacks;

    RunResult() {}

    public long steps() {
      return steps;
    }

    /** How often a lock was entered. */
    public long entries() {
      return entries;
    }

    /** How often it was while another held it. */
    public long overlaps() {
      return overlaps;
    }

    /** How many members came or went. */
    public long churned() {
      return churned;
    }

    /** How often replicas of a holder were reset on purpose. */
    public long attacks() {
      return attacks;
    }
  }

  /**
   * Makes a run.
   *
   * @throws Violation if a promise was broken
   */
  public static RunResult run(RingSettings settings, long seed, Trace trace) {
    RingScenario scenario = new RingScenario(settings, seed);
    scenario.world.setTrace(trace);
    scenario.play();
    return scenario.result;
  }

  private void play() {
    world.form(FEWEST_MEMBERS + entropy.nextInt(MORE_MEMBERS));
    int count = 3 + entropy.nextInt(4);
    for (int i = 0; i < count; i++) {
      NodeId home = entropy.chance(0.3) ? world.client() : world.members().any(entropy);
      boolean isTaken = contenders.stream().anyMatch(other -> other.home().equals(home));
      if (!isTaken) {
        contenders.add(
            new RingContender(
                world, watch, home, LOCKS, LEAST_OPERATIONS / count + 2, entropy.fork(i)));
      }
    }
    contenders.forEach(RingContender::begin);
    scheduleChurn();
    runUntil(FAULTY_NANOS, this::areFinished); // After that nobody would notice any fault.
    world.setFaults(RingFaults.none(10 * MILLI));
    runUntil(CALM_NANOS, this::areFinished);
    result.entries = watch.entries();
    result.overlaps = watch.overlaps();
    contenders.forEach(RingContender::checkFinished);
    runUntil(FADING_NANOS, () -> left() == 0);
    result.steps = world.steps();
    if (left() > 0) {
      throw Violation.safety("%d entries are left after all locks were released".formatted(left()));
    }
  }

  /** Lets time pass until it is so, but not for longer. */
  private void runUntil(long longestNanos, BooleanSupplier isDone) {
    long untilNanos = world.nowNanos() + longestNanos;
    while (!isDone.getAsBoolean() && world.nowNanos() < untilNanos) {
      world.runUntil(world.nowNanos() + SECOND);
    }
  }

  private boolean areFinished() {
    for (RingContender contender : contenders) {
      if (!contender.isFinished()) {
        return false;
      }
    }
    return true;
  }

  private int left() {
    int left = 0;
    for (RunningNode node : world.nodes()) {
      left += node.machine().backend().entries();
    }
    return left;
  }

  private void scheduleChurn() {
    long pause = (long) (-Math.log(1 - entropy.nextDouble()) * 2 * SECOND);
    world.after(
        pause,
        () -> {
          if (world.nowNanos() < FAULTY_NANOS - 5 * SECOND) {
            churn();
            scheduleChurn();
          }
        });
  }

  private void churn() {
    boolean joins = entropy.chance(0.4);
    if (joins) {
      NodeId fresh = new NodeId(entropy.nextLong());
      if (budget.spend(fresh)) {
        result.churned++;
        world.join(fresh);
      }
      return;
    }
    NodeId gone = world.members().any(entropy);
    boolean isContender = contenders.stream().anyMatch(one -> one.home().equals(gone));
    if (world.members().size() <= FEWEST_MEMBERS || (isContender && entropy.chance(0.7))) {
      return;
    }
    if (budget.spend(gone)) {
      result.churned++;
      if (entropy.chance(0.2)) {
        world.leave(gone);
      } else if (entropy.chance(0.5)) {
        world.kill(gone);
      } else {
        restart(gone, (long) (entropy.nextDouble() * 6 * SECOND));
      }
    }
  }

  private void restart(NodeId node, long afterNanos) {
    world.kill(node);
    world.after(
        afterNanos,
        () -> {
          budget.note(node);
          world.join(node);
        });
  }

  /** Just after somebody entered: as many of its replicas as may be lose their memory. */
  private void attack(String lock) {
    List<NodeId> owners = new ArrayList<>();
    for (int i = 0; i < settings.plan().thresholds().servers(); i++) {
      NodeId owner = world.members().owner(ReplicaKeys.of(lock, i));
      boolean isContender = contenders.stream().anyMatch(one -> one.home().equals(owner));
      if (!owners.contains(owner) && !isContender) {
        owners.add(owner);
      }
    }
    while (owners.size() > settings.resets()) {
      owners.remove(entropy.nextInt(owners.size()));
    }
    for (NodeId owner : owners) {
      if (!settings.isWithinBound() || budget.spend(owner)) {
        result.attacks++;
        restart(owner, MILLI);
      }
    }
  }

  private RingContender contender(RunningNode node) {
    return contenders.stream()
        .filter(one -> one.home().equals(node.id()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody called " + node.id()));
  }

  @Override
  public void completed(RunningNode node, long call, Object answer) {
    RingContender contender = contender(node);
    if (contender.completed(node, call, answer)
        && world.nowNanos() < FAULTY_NANOS - 5 * SECOND
        && entropy.chance(settings.isWithinBound() ? 0.1 : 0.5)) {
      attack(contender.heldLock());
    }
  }

  @Override
  public void failed(RunningNode node, long call, Throwable reason) {
    contender(node).failed(node, call);
  }

  @Override
  public void told(RunningNode node, Object event) {
    if (event instanceof LeaseLost lost) {
      contender(node).lost(node, lost);
    } else if (event instanceof LeaseRenewed renewed) {
      contender(node).renewed(node, renewed);
    }
  }
}
