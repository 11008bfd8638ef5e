package io.testudo.quorum.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.spi.Alarm;
import io.testudo.quorum.spi.Entropy;
import io.testudo.quorum.wire.WireTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** Time as a node sees it, with pauses and suspensions at every turn. */
class SimNodeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long SKEW_MILLIS = 1_000;

  /** A node that does nothing by itself. */
  private static final class Idle extends SimNode {
    Idle(World world) {
      super(world, 0, "idle", FaultKind.SERVER_PAUSE);
    }

    @Override
    void arrive(Parcel parcel) {}
  }

  private static World world(long seed, double pause, double suspend) {
    FaultPlan calm = FaultPlan.calm();
    FaultPlan plan =
        new FaultPlan(
            0,
            0,
            0,
            1,
            1,
            pause,
            suspend,
            0.05,
            SKEW_MILLIS,
            0.2,
            0,
            0,
            false,
            calm.smallestLogBytes(),
            SECOND);
    return new World(
        1,
        plan,
        Entropy.seeded(seed),
        Hazards.draw(Set.of(), seed),
        Trace.off(),
        Mockito.mock(Workload.class),
        WireTypes.of(),
        parcel -> {});
  }

  private static void run(World world) {
    boolean happened = true;
    while (happened) {
      happened = world.events.runNext();
    }
  }

  @Test
  void neverSeesItsClockGoBackNorATimerBeforeItsTime() {
    for (long seed = 1; seed <= 200; seed++) {
      World world = world(seed, 0.2, 0.3);
      Idle node = new Idle(world);
      List<Long> seen = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        long delayNanos = i * SECOND / 10;
        long setAtNanos = node.clock.nanos();
        node.after(
            delayNanos,
            () -> {
              assertThat(node.clock.nanos() - setAtNanos).isGreaterThanOrEqualTo(delayNanos);
              seen.add(node.clock.nanos());
            });
      }
      world.events.after(SECOND, world::becomeCalm);
      run(world);
      assertThat(seen).hasSize(20).isSorted();
    }
  }

  @Test
  void setsItsWallClockForwardAndBackButNeverBackWhereItIsSuspended() {
    assertThat(wallGoesBack(0)).isTrue();
    assertThat(wallGoesBack(0.2)).isFalse();
  }

  /** Whether a wall clock was seen to go back, in any of many worlds. */
  private static boolean wallGoesBack(double suspend) {
    boolean back = false;
    long jumps = 0;
    for (long seed = 1; seed <= 50; seed++) {
      World world = world(seed, 0, suspend);
      Idle node = new Idle(world);
      List<Long> seen = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        node.after(i * SECOND / 100, () -> seen.add(node.clock.wallMillis()));
      }
      run(world);
      assertThat(Math.abs(node.clock.skewMillis())).isLessThanOrEqualTo(SKEW_MILLIS);
      jumps += world.stats.faults().getOrDefault(FaultKind.WALL_JUMP, 0L);
      back |= !seen.equals(seen.stream().sorted().toList());
    }
    assertThat(jumps).isPositive();
    return back;
  }

  @Test
  void doesNotRingWhatWasCancelledWhileItStoodStill() {
    for (long seed = 1; seed <= 200; seed++) {
      World world = world(seed, 0.5, 0);
      Idle node = new Idle(world);
      List<String> rung = new ArrayList<>();
      Alarm.Ring late = node.after(SECOND, () -> rung.add("late"));
      node.after(
          SECOND - 1_000,
          () -> {
            late.cancel();
            rung.add("cancels");
          });
      run(world);
      assertThat(rung).startsWith("cancels").doesNotContain("late");
    }
  }

  @Test
  void forgetsWhatAnEarlierLifeSetGoing() {
    World world = world(1, 0, 0);
    Idle node = new Idle(world);
    List<String> rung = new ArrayList<>();
    node.after(SECOND, () -> rung.add("of the dead"));
    node.endLife();
    node.after(SECOND, () -> rung.add("of the living"));
    run(world);
    assertThat(rung).containsExactly("of the living");
  }

  @Test
  void standsStillWithItsClockAndGoesOnFromThere() {
    EventQueue events = new EventQueue();
    SimClock clock = new SimClock(events, 0, 100, 0, false);
    List<Long> seen = new ArrayList<>();
    events.after(10, () -> clock.suspend(50));
    for (long at : new long[] {5, 20, 40, 70}) {
      events.after(at, () -> seen.add(clock.nanos()));
    }
    while (events.nowNanos() < 70) {
      events.runNext();
    }
    assertThat(seen).containsExactly(105L, 110L, 110L, 120L);
  }

  @Test
  void goesOnAtOnceWhenASuspensionIsCutShort() {
    EventQueue events = new EventQueue();
    SimClock clock = new SimClock(events, 0, 0, 0, false);
    events.after(10, () -> clock.suspend(1_000));
    events.after(30, clock::resume);
    List<Long> seen = new ArrayList<>();
    events.after(40, () -> seen.add(clock.nanos()));
    while (events.nowNanos() < 40) {
      events.runNext();
    }
    assertThat(seen).containsExactly(20L);
  }
}
