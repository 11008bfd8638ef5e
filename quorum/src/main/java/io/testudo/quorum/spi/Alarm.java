package io.testudo.quorum.spi;

/** Runs something later, on the loop of the machine that asked. */
public interface Alarm {
  /** Runs {@code task} once, {@code delayNanos} from now on this process's own clock. */
  Ring after(long delayNanos, Runnable task);

  /** A task that is waiting for its time. */
  @FunctionalInterface
  interface Ring {
    /** Without effect once the task ran. */
    void cancel();
  }
}
