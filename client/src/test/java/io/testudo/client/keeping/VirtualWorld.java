package io.testudo.client.keeping;

import io.testudo.client.keeping.Surroundings.Pending;
import io.testudo.client.keeping.Surroundings.RecipeClock;
import io.testudo.client.roster.LeaseRule;
import io.testudo.quorum.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** Virtual time, and processes in it whose clocks err and who stand still or die. */
final class VirtualWorld {
  static final long MILLI = 1_000_000L;
  private static final long BEGIN_WALL = 1_700_000_000_000L;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  final Random random;
  private long trueNanos;
  private long order;

  private record Event(long atNanos, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return atNanos == other.atNanos
          ? Long.compare(order, other.order)
          : Long.compare(atNanos, other.atNanos);
    }
  }

  VirtualWorld(long seed) {
    this.random = new Random(seed);
  }

  long trueNanos() {
    return trueNanos;
  }

  void at(long delayNanos, Runnable what) {
    events.add(new Event(trueNanos + Math.max(0, delayNanos), order++, what));
  }

  /** Runs until so much time has passed, and has a look after each event. */
  void run(long nanos, Runnable check) {
    long end = trueNanos + nanos;
    while (!events.isEmpty() && events.peek().atNanos() <= end) {
      Event next = events.poll();
      trueNanos = next.atNanos();
      next.what().run();
      check.run();
    }
    trueNanos = end;
    check.run();
  }

  void run(long nanos) {
    run(nanos, () -> {});
  }

  /** A process. */
  final class VirtualNode implements RecipeClock {
    final String name;
    private final double rate;
    private final long offset;
    private boolean dead;
    private long pausedUntil;
    private final List<Runnable> held = new ArrayList<>();

    VirtualNode(String name, double rate) {
      this.name = name;
      this.rate = rate;
      this.offset = random.nextInt(1_000_000);
    }

    Surroundings around(double drift) {
      return new Surroundings(this, this::soon, new LeaseRule(drift), name, random::nextLong);
    }

    boolean isDead() {
      return dead;
    }

    boolean isPaused() {
      return trueNanos < pausedUntil;
    }

    void die() {
      dead = true;
    }

    /** Stands still: nothing of it runs, and its clocks go on. */
    void pause(long nanos) {
      pausedUntil = Math.max(pausedUntil, trueNanos + nanos);
      at(
          nanos,
          () -> {
            if (!isPaused()) {
              List<Runnable> due = new ArrayList<>(held);
              held.clear();
              due.forEach(this::run);
            }
          });
    }

    void run(Runnable what) {
      if (dead) {
        return;
      }
      if (isPaused()) {
        held.add(what);
      } else {
        what.run();
      }
    }

    void soon(Runnable what) {
      at(0, () -> run(what));
    }

    @Override
    public Moment now() {
      long nanos = offset + (long) (trueNanos * rate);
      return new Moment(nanos, BEGIN_WALL + nanos / MILLI);
    }

    @Override
    public Pending later(long nanos, Runnable task) {
      boolean[] cancelled = new boolean[1];
      at(
          (long) Math.ceil(nanos / rate),
          () ->
              run(
                  () -> {
                    if (!cancelled[0]) {
                      task.run();
                    }
                  }));
      return () -> cancelled[0] = true;
    }
  }
}
