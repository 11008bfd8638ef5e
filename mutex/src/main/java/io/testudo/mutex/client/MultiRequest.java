package io.testudo.mutex.client;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.testudo.mutex.LeaseLostException;
import io.testudo.mutex.LockOptions;
import io.testudo.mutex.NotAcquiredException;
import io.testudo.mutex.protocol.Acquire;
import io.testudo.mutex.protocol.Term;
import io.testudo.quorum.TestudoException;
import io.testudo.quorum.runtime.CallListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for several locks, all or none.
 *
 * @param machines which one serves which name, in the order in which everybody asks for them
 */
record MultiRequest(
    ImmutableSortedMap<String, LockMachine> machines, LockOptions options, long waitNanos)
    implements Asking<HeldLeases> {
  LockMachine first() {
    return machines.values().iterator().next();
  }

  @Override
  public Withdrawal start(CallListener<HeldLeases> whenDone) {
    Chain chain = new Chain(whenDone);
    chain.goOn();
    return chain;
  }

  @Override
  public void giveBack(HeldLeases granted) {
    granted.close();
  }

  @Override
  public TestudoException notInTime() {
    return new NotAcquiredException(machines.keySet().toString());
  }

  /** One lock after the other. At any time at most one request is under way. */
  private final class Chain implements Withdrawal {
    private final CallListener<HeldLeases> whenDone;
    private final ImmutableList<Map.Entry<String, LockMachine>> wanted =
        machines.entrySet().asList();
    private final long startNanos = first().now().nanos();

    /** How many leases were given more time if they needed it. Touched by one step at a time. */
    private int lookedAt;

    /** Guarded by this, as is what follows. */
    private final List<HeldLease> leases = new ArrayList<>();

    private int step;

    private @Nullable Withdrawal current;

    private boolean ended;

    Chain(CallListener<HeldLeases> whenDone) {
      this.whenDone = whenDone;
    }

    /** Asks for what is missing next: a lock, or more time on one that waited for the others. */
    private void goOn() {
      List<HeldLease> had;
      synchronized (this) {
        if (ended) {
          return;
        }
        had = List.copyOf(leases);
      }
      if (had.size() < wanted.size()) {
        Map.Entry<String, LockMachine> next = wanted.get(had.size());
        askForLock(next.getKey(), next.getValue());
        return;
      }
      if (had.stream().anyMatch(lease -> !lease.isHeld())) {
        beginAgain();
        return;
      }
      // Once for each: however long that takes, it must come to an end.
      while (lookedAt < had.size()) {
        HeldLease lease = had.get(lookedAt++);
        if (lease.remainingNanos() < options.hold().toNanos()) {
          askForTime(lease);
          return;
        }
      }
      succeed(had);
    }

    private void askForLock(String name, LockMachine machine) {
      long leftNanos = leftNanos();
      if (leftNanos == 0 && waitNanos > 0) {
        fail(new NotAcquiredException(name));
        return;
      }
      ask(
          LockRequest.of(machine, name, options, leftNanos),
          lease -> {
            keep(lease);
            goOn();
          });
    }

    private void askForTime(HeldLease lease) {
      Renewal renewal = new Renewal(lease.machine(), lease, options.hold().toNanos());
      ask(renewal, (Term term) -> goOn());
    }

    private long leftNanos() {
      return waitNanos == Acquire.FOREVER
          ? Acquire.FOREVER
          : Math.max(0, waitNanos - (first().now().nanos() - startNanos));
    }

    private void keep(HeldLease lease) {
      synchronized (this) {
        if (!ended) {
          leases.add(lease);
          return;
        }
      }
      lease.close();
    }

    /** One was lost while another was waited for. */
    private void beginAgain() {
      lookedAt = 0;
      giveAllBack();
      goOn();
    }

    private void giveAllBack() {
      List<HeldLease> had;
      synchronized (this) {
        had = List.copyOf(leases);
        leases.clear();
      }
      had.forEach(HeldLease::close);
    }

    private <L> void ask(Asking<L> asking, Then<L> then) {
      int mine;
      synchronized (this) {
        mine = ++step;
      }
      Withdrawal begun =
          asking.start(
              new CallListener<L>() {
                @Override
                public void completed(L granted) {
                  then.goOn(granted);
                }

                @Override
                public void failed(TestudoException reason) {
                  if (reason instanceof LeaseLostException) {
                    beginAgain();
                  } else {
                    fail(reason);
                  }
                }
              });
      remember(begun, mine);
    }

    private void remember(Withdrawal begun, int itsStep) {
      synchronized (this) {
        if (!ended) {
          if (step == itsStep) { // Else its answer was faster than this thread.
            current = begun;
          }
          return;
        }
      }
      begun.withdraw();
    }

    private synchronized boolean end() {
      boolean first = !ended;
      ended = true;
      return first;
    }

    private void succeed(List<HeldLease> had) {
      ImmutableSortedMap.Builder<String, HeldLease> byName = ImmutableSortedMap.naturalOrder();
      had.forEach(lease -> byName.put(lease.lockName(), lease));
      if (end()) { // Else it was withdrawn, and all was given back.
        whenDone.completed(new HeldLeases(byName.buildOrThrow()));
      }
    }

    private void fail(TestudoException reason) {
      giveAllBack();
      if (end()) {
        whenDone.failed(reason);
      }
    }

    @Override
    public void withdraw() {
      Withdrawal underWay;
      synchronized (this) {
        if (ended) {
          return;
        }
        ended = true;
        underWay = current;
      }
      if (underWay != null) {
        underWay.withdraw();
      }
      giveAllBack();
    }
  }

  /** What to do with an answer. */
  private interface Then<L> {
    void goOn(L granted);
  }
}
