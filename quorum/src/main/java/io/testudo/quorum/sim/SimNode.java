package io.testudo.quorum.sim;

import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Entropy;

/** What a process is to the world: it lives, stands still at times, dies and comes back. */
abstract class SimNode implements Alarm {
  private static final long MILLI = 1_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 300 * MILLI;

  final World world;
  final int index;
  final String name;
  final Entropy entropy;
  final SimClock clock;
  private final FaultKind pauseKind;
  private long stillUntilNanos;

  /** Grows with each death, so that what an earlier life set going comes to nothing. */
  private long life;

  SimNode(World world, int index, String name, FaultKind pauseKind) {
    this.world = world;
    this.index = index;
    this.name = name;
    this.pauseKind = pauseKind;
    this.entropy = world.entropy.fork(100 + index);
    double drift = world.plan.drift() * (2 * entropy.nextDouble() - 1);
    if (drift != 0) {
      world.stats.fault(FaultKind.DRIFT);
    }
    long mostMillis = world.plan.skewMillis();
    long skewMillis = between(-mostMillis, mostMillis);
    this.clock =
        new SimClock(
            world.events, drift, entropy.nextLong(1L << 50), skewMillis, world.hazards.isLong());
  }

  private long between(long least, long most) {
    return least + entropy.nextLong(most - least + 1);
  }

  /** A frame has come. */
  abstract void arrive(Parcel parcel);

  /** A task that waits for a time on this node's own clock, in one of its lives. */
  private final class Waiting implements Ring, Runnable {
    private final long dueNanos;
    private final long ofLife = life;
    private final Runnable task;
    private boolean cancelled;

    Waiting(long dueNanos, Runnable task) {
      this.dueNanos = dueNanos;
      this.task = task;
    }

    /** The clock may have stood still since: then it is not time yet. */
    @Override
    public void run() {
      if (cancelled || life != ofLife) {
        return;
      }
      long leftNanos = dueNanos - clock.nanos();
      if (leftNanos > 0) {
        world.events.after(clock.trueNanosUntil(leftNanos), this);
      } else {
        whenAwake(
            () -> {
              if (!cancelled) {
                task.run();
              }
            });
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  @Override
  public Ring after(long delayNanos, Runnable task) {
    Waiting waiting = new Waiting(clock.nanos() + delayNanos, task);
    world.events.after(clock.trueNanosUntil(delayNanos), waiting);
    return waiting;
  }

  /** Does something as soon as this node moves; here it may stand still first. */
  final void whenAwake(Runnable task) {
    if (!world.isCalm()) {
      maybeStandStill();
      maybeJump();
    }
    long waitNanos = stillUntilNanos - world.events.nowNanos();
    if (waitNanos <= 0) {
      task.run();
      return;
    }
    long ofLife = life;
    world.events.after(
        waitNanos,
        () -> {
          if (life == ofLife) {
            whenAwake(task);
          }
        });
  }

  /** The same, unless the node has died since. */
  final void whenAwakeIn(long ofLife, Runnable task) {
    if (life == ofLife) {
      whenAwake(task);
    }
  }

  private void maybeStandStill() {
    boolean moving = world.events.nowNanos() >= stillUntilNanos;
    if (!moving) {
      return;
    }
    if (entropy.chance(world.plan.pause())) {
      standStill(pauseKind);
    } else if (entropy.chance(world.plan.suspend())) {
      clock.suspend(standStill(FaultKind.SUSPEND));
    }
  }

  private void maybeJump() {
    if (!entropy.chance(world.plan.wallJump())) {
      return;
    }
    long mostMillis = world.plan.skewMillis();
    boolean neverBack = world.plan.suspend() > 0 || world.hazards.isLong();
    long skewMillis = between(neverBack ? clock.skewMillis() : -mostMillis, mostMillis);
    long jumpMillis = skewMillis - clock.skewMillis();
    clock.setSkew(skewMillis);
    world.stats.fault(FaultKind.WALL_JUMP);
    world.trace.note(
        world.events.nowNanos(), name, () -> "has its wall clock set by " + jumpMillis + " ms");
  }

  /** Stands still for long, whatever it is doing; its monotonic clock may stand still, too. */
  final void sleep(long nanos, boolean clockStops) {
    stillUntilNanos = world.events.nowNanos() + nanos;
    if (clockStops) {
      clock.suspend(nanos);
    }
    world.stats.fault(FaultKind.LONG_SLEEP);
    note("sleeps for " + nanos / MILLI + " ms" + (clockStops ? ", its clock with it" : ""));
  }

  private long standStill(FaultKind kind) {
    long nanos = 1 + entropy.nextLong(LONGEST_PAUSE_NANOS);
    stillUntilNanos = world.events.nowNanos() + nanos;
    world.stats.fault(kind);
    world.trace.note(
        world.events.nowNanos(), name, () -> "stands still for " + nanos / MILLI + " ms");
    return nanos;
  }

  /** How often this node has died. */
  final long life() {
    return life;
  }

  final void endLife() {
    life++;
    stillUntilNanos = 0;
    clock.resume();
  }

  final void note(String what) {
    world.trace.note(world.events.nowNanos(), name, () -> what);
  }

  @Override
  public final String toString() {
    return name;
  }
}
