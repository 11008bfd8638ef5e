package io.testudo.bench.driver;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** A system without servers, as sound as it is told to be. */
public final class FakeSystem implements PeerSystem {
  /** What it may do wrong. */
  public enum Fault {
    NONE,
    /** Locks let everybody in. */
    OPEN_LOCKS,
    /** Counters forget one of their first increments. */
    LOST_INCREMENT,
    /** Counters say the same number twice. */
    STUCK_COUNTER,
    /** Calls fail. */
    FAILING
  }

  private final Fault fault;
  private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
  private int connected;

  public FakeSystem(Fault fault) {
    this.fault = fault;
  }

  int connected() {
    return connected;
  }

  @Override
  public String version() {
    return "Fake 1.0";
  }

  @Override
  public PeerConnection connect(int index) {
    connected++;
    return new PeerConnection() {
      @Override
      public PeerLock lock(String name, PeerWork.Use use) {
        return new FakeLock(locks.computeIfAbsent(name, any -> new Semaphore(1)));
      }

      @Override
      public PeerCounter counter(String name, PeerWork.Use use) {
        return new FakeCounter(counters.computeIfAbsent(name, any -> new AtomicLong()));
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}

  private final class FakeLock implements PeerLock {
    private final Semaphore free;

    FakeLock(Semaphore free) {
      this.free = free;
    }

    @Override
    public void lock() throws InterruptedException {
      if (fault != Fault.OPEN_LOCKS) {
        free.acquire();
      }
    }

    @Override
    public void unlock() {
      if (fault != Fault.OPEN_LOCKS) {
        free.release();
      }
    }

    /** For one caller alone. */
    @Override
    public CompletionStage<?> lockAsync() {
      return CompletableFuture.completedFuture(free.tryAcquire());
    }

    @Override
    public CompletionStage<?> unlockAsync() {
      free.release();
      return CompletableFuture.completedFuture(true);
    }
  }

  private final class FakeCounter implements PeerCounter {
    private final AtomicLong count;

    FakeCounter(AtomicLong count) {
      this.count = Objects.requireNonNull(count);
    }

    @Override
    public long increment() {
      return switch (fault) {
        case FAILING -> throw new IllegalStateException("the fake fails");
        case STUCK_COUNTER -> 1;
        default -> count.incrementAndGet();
      };
    }

    @Override
    public long get() {
      return fault == Fault.LOST_INCREMENT ? count.get() - 1 : count.get();
    }

    @Override
    public CompletionStage<Long> incrementAsync() {
      return CompletableFuture.completedFuture(increment());
    }
  }
}
