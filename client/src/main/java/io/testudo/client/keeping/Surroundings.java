package io.testudo.client.keeping;

import io.testudo.client.roster.LeaseRule;
import io.testudo.quorum.protocol.Moment;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What recipes need of the world around them.
 *
 * @param callbacks where what applications hear of runs
 * @param owner the principal in whose name members are entered
 * @param ids draws ids of members
 */
public record Surroundings(
    RecipeClock clock, Executor callbacks, LeaseRule rule, String owner, LongSupplier ids) {
  /** A clock and an alarm. */
  public interface RecipeClock {
    Moment now();

    /** Runs something short after a time, unless it is cancelled before. */
    Pending later(long nanos, Runnable task);
  }

  /** Something that will be run. */
  @FunctionalInterface
  public interface Pending {
    void cancel();
  }

  Moment now() {
    return clock.now();
  }
}
