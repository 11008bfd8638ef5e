package io.testudo.mutex.sim;

import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Held;
import io.testudo.mutex.protocol.ReleaseCall;
import io.testudo.mutex.protocol.RenewCall;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import io.testudo.quorum.sim.ClientPort;
import io.testudo.quorum.sim.Violation;
import io.testudo.quorum.spi.Entropy;
import java.util.List;

/** One contender asks for a lock, holds it for a while, and leaves it in one way or another. */
final class Contention {
  private static final long MILLI = 1_000_000L;
  private static final long SHORTEST_HOLD_NANOS = 10 * MILLI;
  private static final long LONGEST_CALM_STAY_NANOS = 10 * MILLI;
  private static final long LONGEST_KEEP_NANOS = 500 * MILLI;
  private static final long QUICK_NANOS = 5 * MILLI;
  private static final long SHORT_WAIT_NANOS = 150 * MILLI;
  private static final long LONG_WAIT_NANOS = 600 * MILLI;

  /** While all is well nobody waits so long, even behind liars and servers that just restarted. */
  private static final long CALM_WAIT_NANOS = 60_000 * MILLI;

  /**
   * Where all want one lock and nothing is wrong but for a liar, others enter so often at most
   * before it is one's own turn, and it comes within this time. Both are more than ten times what
   * was ever seen.
   */
  private static final long MAX_TURNS = 1_000;

  private static final long CROWD_WAIT_NANOS = 20_000 * MILLI;

  /** Names that are wanted more and less often. */
  private static final List<String> LOCKS = List.of("a", "a", "a", "a", "b", "c");

  private static final CallListener<Term> INDIFFERENT =
      new CallListener<>() {
        @Override
        public void completed(Term result) {}

        @Override
        public void failed(TestudoException reason) {}
      };

  private final LockWorkload workload;
  private final LockChecker checker;
  private final ClientPort port;
  private final Entropy entropy;
  private final long maxHoldNanos;
  private final Runnable done;
  private final boolean calm;
  private final String lock;
  private final long holdNanos;
  private final long begunNanos;
  private final long entriesBefore;
  private boolean isOver;

  Contention(LockWorkload workload, ClientPort port, long maxHoldNanos, Runnable done) {
    this.workload = workload;
    this.checker = workload.checker();
    this.port = port;
    this.entropy = port.entropy();
    this.maxHoldNanos = maxHoldNanos;
    this.done = done;
    this.calm = port.isCalm();
    int wanted = entropy.nextInt(LOCKS.size());
    this.lock = LOCKS.get(workload.isCrowded() ? 0 : wanted);
    this.holdNanos = drawHold();
    this.begunNanos = port.trueNanos();
    this.entriesBefore = checker.entries();
  }

  private long drawHold() {
    return SHORTEST_HOLD_NANOS + entropy.nextLong(maxHoldNanos - SHORTEST_HOLD_NANOS + 1);
  }

  void begin() {
    long keepNanos = entropy.chance(0.15) ? entropy.nextLong(LONGEST_KEEP_NANOS) : 0;
    boolean persistent = entropy.chance(0.1);
    if (calm) {
      workload.waits(this);
    }
    ClientPort.Pending pending =
        port.call(
            new Acquire(lock, holdNanos, drawWait(), keepNanos, persistent),
            new CallListener<Held>() {
              @Override
              public void completed(Held held) {
                workload.waitsNoMore(Contention.this);
                entered(held.token());
              }

              @Override
              public void failed(TestudoException reason) {
                refused(reason);
              }
            });
    if (!calm && entropy.chance(0.2)) {
      port.after(entropy.nextLong(SHORT_WAIT_NANOS), () -> cancel(pending));
    }
  }

  /** While all is well, others enter only for so long before it is one's own turn. */
  void checkTurns() {
    long turns = checker.entries() - entriesBefore;
    if (workload.isCrowded() && turns > MAX_TURNS) {
      throw Violation.liveness(
          "all is well, and %s still waits for '%s' after %d others have entered"
              .formatted(port.self(), lock, turns));
    }
    if (port.isClockRight() && port.trueNanos() - begunNanos > CALM_WAIT_NANOS) {
      throw Violation.liveness(
          "all is well, and %s waits in vain for '%s', which others enter"
              .formatted(port.self(), lock));
    }
  }

  private long drawWait() {
    if (workload.isCrowded()) {
      return CROWD_WAIT_NANOS;
    }
    if (calm) {
      return entropy.chance(0.5) ? Acquire.FOREVER : CALM_WAIT_NANOS;
    }
    return switch (entropy.nextInt(4)) {
      case 0 -> 0;
      case 1 -> entropy.nextLong(LONG_WAIT_NANOS);
      default -> entropy.nextLong(SHORT_WAIT_NANOS);
    };
  }

  private void cancel(ClientPort.Pending pending) {
    if (!isOver) {
      port.note("cancels its wish for '" + lock + "'");
      pending.cancel();
      finish();
    }
  }

  private void refused(TestudoException reason) {
    workload.waitsNoMore(this);
    if (calm && port.isClockRight()) {
      throw Violation.liveness(
          "all is well, and '%s' is not to be had: %s".formatted(lock, reason.getMessage()));
    }
    port.note("did not get '" + lock + "': " + reason.getMessage());
    finish();
  }

  private void entered(long token) {
    if (isOver) {
      release(token); // It was cancelled when it was too late for that.
    } else if (calm) {
      port.after(entropy.nextLong(LONGEST_CALM_STAY_NANOS), () -> leave(token));
    } else {
      switch (entropy.nextInt(10)) {
        case 0 -> leave(token);
        case 1, 2 -> awaitLoss(token);
        case 3, 4, 5 -> {
          for (int renewals = 1 + entropy.nextInt(2); renewals > 0; renewals--) {
            port.after(entropy.nextLong(holdNanos), () -> renew(token));
          }
          if (entropy.chance(0.5)) {
            awaitLoss(token);
          } else {
            port.after(entropy.nextLong(2 * holdNanos), () -> leave(token));
          }
        }
        default -> port.after(entropy.nextLong(holdNanos), () -> leave(token));
      }
    }
  }

  /** Asks for more, and often changes its mind about how much before the servers answer. */
  private void renew(long token) {
    port.call(new RenewCall(lock, token, drawHold()), INDIFFERENT);
    if (entropy.chance(0.5)) {
      port.after(entropy.nextLong(QUICK_NANOS), () -> renew(token));
    }
  }

  private void leave(long token) {
    release(token);
    finish();
  }

  private void release(long token) {
    boolean believed = checker.left(port.self(), lock, token);
    if (calm) {
      workload.givenBackInCalm(lock, token);
    }
    port.call(
        new ReleaseCall(lock, token),
        new CallListener<Boolean>() {
          @Override
          public void completed(Boolean held) {
            if (held != believed) {
              throw Violation.safety(
                  "%s is told %s when it releases '%s', and believed %s"
                      .formatted(port.self(), held, lock, believed));
            }
          }

          @Override
          public void failed(TestudoException reason) {
            throw Violation.safety("a release fails: " + reason.getMessage());
          }
        });
  }

  /** Lets the lease run out, and looks whether that is told. */
  private void awaitLoss(long token) {
    long leftNanos = checker.endsWithinNanos(port.self(), lock, token);
    if (leftNanos > 0) {
      port.after(leftNanos, () -> awaitLoss(token));
    } else {
      // Who slept through its end hears of it first thing, but after what was to be done before.
      port.after(MILLI, () -> checkLoss(token));
    }
  }

  private void checkLoss(long token) {
    if (checker.endsWithinNanos(port.self(), lock, token) > 0) {
      awaitLoss(token);
    } else if (checker.knows(port.self(), lock, token)) {
      throw Violation.liveness("the loss of '%s' is not told to %s".formatted(lock, port.self()));
    } else {
      finish();
    }
  }

  private void finish() {
    isOver = true;
    done.run();
  }
}
