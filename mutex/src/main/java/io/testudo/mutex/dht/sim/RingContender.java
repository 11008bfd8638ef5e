package io.testudo.mutex.dht.sim;

import io.testudo.mutex.dht.overlay.NodeId;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.LeaseLost;
import io.testudo.mutex.protocol.LeaseRenewed;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.spi.Entropy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Somebody who takes locks again and again, at one node. It ends when the node dies. */
final class RingContender {
  private static final long MILLI = 1_000_000L;
  private static final long HOLD_NANOS = 2_000 * MILLI;
  private static final long KEEP_NANOS = 20_000 * MILLI;
  private static final int LONGEST_MILLIS = 1_500;

  /** Longer than any lease: it is kept by renewals alone. */
  private static final int LONGEST_KEPT_MILLIS = 12_000;

  private final RingWorld world;
  private final HolderWatch watch;
  private final NodeId home;
  private final List<String> locks;
  private final Entropy entropy;
  private final RunningNode node;
  private int left;
  private long call;
  private boolean awaited;
  private boolean isPatient;
  private boolean keeps;
  private @Nullable Held held;
  private String lock = "";

  RingContender(
      RingWorld world,
      HolderWatch watch,
      NodeId home,
      List<String> locks,
      int operations,
      Entropy entropy) {
    this.world = world;
    this.watch = watch;
    this.home = home;
    this.locks = locks;
    this.left = operations;
    this.entropy = entropy;
    RunningNode running = world.node(home);
    if (running == null) {
      throw new IllegalStateException("there is no node " + home);
    }
    this.node = running;
  }

  NodeId home() {
    return home;
  }

  String heldLock() {
    return lock;
  }

  void begin() {
    pause(entropy.nextInt(2_000), this::ask);
  }

  private void pause(int millis, Runnable then) {
    world.after(
        millis * MILLI,
        () -> {
          if (node.lives()) {
            then.run();
          }
        });
  }

  private void ask() {
    if (left-- == 0) {
      return;
    }
    lock = locks.get(entropy.nextInt(locks.size()));
    isPatient = entropy.chance(0.7);
    long wait = isPatient ? Acquire.FOREVER : entropy.nextInt(6_000) * MILLI;
    keeps = entropy.chance(0.3);
    awaited = true;
    call = node.call(new Acquire(lock, HOLD_NANOS, wait, keeps ? KEEP_NANOS : 0, false));
    long asked = call;
    if (entropy.chance(0.1)) {
      pause(entropy.nextInt(3_000), () -> cancel(asked));
    }
  }

  private void cancel(long asked) {
    if (awaited && asked == call) {
      awaited = false;
      node.cancel(asked);
      begin();
    }
  }

  /** An answer has come; whether a lock was entered by it. */
  boolean completed(RunningNode from, long number, Object answer) {
    if (!(answer instanceof Held got)) {
      return false;
    }
    if (from != node || number != call || !awaited) {
      throw Violation.safety("%s was given a lock that it does not want".formatted(home));
    }
    awaited = false;
    held = got;
    watch.entered(node, got.lock(), got.token());
    watch.lasts(node, got.lock(), got.token(), got.term());
    boolean isLong = keeps && entropy.chance(0.5);
    pause(entropy.nextInt(isLong ? LONGEST_KEPT_MILLIS : LONGEST_MILLIS), () -> release(got));
    if (isLong) {
      pause(entropy.nextInt(LONGEST_MILLIS), () -> renew(got));
    }
    if (!node.isMember() && entropy.chance(0.1)) { // A member that sleeps is as good as dead.
      node.sleep(entropy.nextInt(LONGEST_KEPT_MILLIS) * MILLI);
    }
    return true;
  }

  /** For less time than before, or for more. */
  private void renew(Held got) {
    if (got.equals(held)) {
      long holdNanos = HOLD_NANOS / 4 + entropy.nextLong(HOLD_NANOS);
      node.call(new RenewCall(got.lock(), got.token(), holdNanos));
    }
  }

  void renewed(RunningNode from, LeaseRenewed renewed) {
    Held got = held;
    if (from == node && got != null && got.token() == renewed.token()) {
      watch.lasts(node, got.lock(), got.token(), renewed.term());
    }
  }

  private void release(Held got) {
    if (got.equals(held)) {
      held = null;
      watch.left(node, got.lock(), got.token());
      node.call(new ReleaseCall(got.lock(), got.token()));
      begin();
    }
  }

  void lost(RunningNode from, LeaseLost lost) {
    Held got = held;
    if (from == node && got != null && got.token() == lost.token()) {
      held = null;
      watch.left(node, got.lock(), got.token());
      begin();
    }
  }

  void failed(RunningNode from, long number) {
    if (from == node && number == call && awaited) {
      awaited = false;
      begin();
    }
  }

  /** Whether it has had all that it wanted, or is dead. */
  boolean isFinished() {
    return !node.lives() || (left < 0 && !awaited && held == null);
  }

  /** In the time of calm everybody must have had what it wanted. */
  void checkFinished() {
    if (!isFinished()) {
      throw Violation.liveness(
          "%s is not done: %s, %d more to come"
              .formatted(home, awaited ? "it waits for " + lock : "it holds " + lock, left + 1));
    }
  }
}
