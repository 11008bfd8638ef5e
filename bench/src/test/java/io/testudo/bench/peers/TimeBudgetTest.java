package io.testudo.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.bench.measure.BenchClock;
import org.junit.jupiter.api.Test;

/** What there is time for. */
class TimeBudgetTest {
  private long nowNanos;
  private final TimeBudget budget = new TimeBudget(new Clock(), 1_000, 100);

  private final class Clock implements BenchClock {
    @Override
    public long nanos() {
      return nowNanos;
    }

    @Override
    public void pauseUntil(long nanos) {}
  }

  @Test
  void leavesTimeForWhatHasToBeDoneAndIsSlowerThanPlanned() {
    assertThat(budget.allows(800)).isTrue();
    assertThat(budget.allows(900)).isFalse();
    budget.done(100);
    assertThat(budget.allows(900)).isTrue();
    nowNanos = 200;
    assertThat(budget.allows(900)).isFalse();
  }

  @Test
  void keepsForLaterPartsWhatTheFirstMayNotSpend() {
    budget.spend(0.5); // Of 840.
    assertThat(budget.allows(420)).isTrue();
    assertThat(budget.allows(421)).isFalse();
    nowNanos = 420;
    assertThat(budget.allows(1)).isFalse();
    budget.spend(1);
    assertThat(budget.allows(420)).isTrue();
  }

  @Test
  void allowsAllWithoutLimit() {
    TimeBudget unlimited = TimeBudget.unlimited();
    unlimited.spend(0.5);
    assertThat(unlimited.allows(Long.MAX_VALUE)).isTrue();
  }
}
