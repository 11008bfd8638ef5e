package io.testudo.quorum.netty;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.testudo.quorum.spi.Alarm;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one machine on its event loop. Most timers are cancelled long before they are due:
 * each waits in a queue of the machine, cancelling only marks it, and the loop itself has one
 * timer, for the earliest. One that is due at once rings in the same round of the loop, after all
 * that was read in it: so a machine can wait for what else comes together.
 */
final class LoopAlarm implements Alarm {
  /** Below this many it is not worth looking for cancelled timers. */
  private static final int FEW = 8;

  private final EventLoop loop;
  private final Runnable ringing;
  private final PriorityQueue<Waiting> queue =
      new PriorityQueue<>((a, b) -> Long.compare(a.dueNanos - b.dueNanos, 0));
  private int cancelled;
  private @Nullable Future<?> armed;
  private long armedForNanos;

  /**
   * Makes an alarm.
   *
   * @param whenFailed hears of what was thrown, by a task or here: timers are lost then
   */
  LoopAlarm(EventLoop loop, Consumer<Throwable> whenFailed) {
    this.loop = loop;
    this.ringing = Loops.guarded(this::ring, whenFailed);
  }

  private final class Waiting implements Ring {
    final long dueNanos;
    @Nullable Runnable task;

    Waiting(long dueNanos, Runnable task) {
      this.dueNanos = dueNanos;
      this.task = task;
    }

    @Override
    public void cancel() {
      if (task != null) {
        task = null;
        cancelled++;
        sweepIfMostAreCancelled();
      }
    }
  }

  /** Due at once: a task of the loop, which needs no clock. */
  private static final class AtOnce implements Ring, Runnable {
    private @Nullable Runnable task;

    AtOnce(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (task != null) {
        task.run();
      }
    }

    @Override
    public void cancel() {
      task = null;
    }
  }

  @Override
  public Ring after(long delayNanos, Runnable task) {
    if (delayNanos == 0) {
      AtOnce atOnce = new AtOnce(task);
      loop.execute(atOnce);
      return atOnce;
    }
    Waiting waiting = new Waiting(System.nanoTime() + delayNanos, task);
    queue.add(waiting);
    arm(waiting.dueNanos);
    return waiting;
  }

  private void arm(long dueNanos) {
    if (armed != null) {
      if (armedForNanos - dueNanos <= 0) {
        return;
      }
      armed.cancel(false);
    }
    armedForNanos = dueNanos;
    armed = loop.schedule(ringing, dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private void ring() {
    armed = null;
    long now = System.nanoTime();
    for (Waiting next = queue.peek(); next != null; next = queue.peek()) {
      Runnable task = next.task;
      if (task != null && next.dueNanos - now > 0) {
        arm(next.dueNanos);
        return;
      }
      queue.remove();
      next.task = null;
      if (task == null) {
        cancelled--;
      } else {
        task.run();
      }
    }
  }

  /** How many are kept, cancelled ones included. */
  int waiting() {
    return queue.size();
  }

  /** So that what is kept stays in proportion to what waits. */
  private void sweepIfMostAreCancelled() {
    if (queue.size() >= FEW && cancelled > queue.size() / 2) {
      queue.removeIf(waiting -> waiting.task == null);
      cancelled = 0;
    }
  }
}
