package io.testudo.ordering.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SmoothedTimeTest {
  private final SmoothedTime pace = new SmoothedTime();

  @Test
  void followsWhatIsMeasured() {
    assertThat(pace.isKnown()).isFalse();
    assertThat(pace.mostNanos()).isZero();
    for (int i = 0; i < 100; i++) {
      pace.measured(1_000);
    }
    assertThat(pace.meanNanos()).isEqualTo(1_000);
    assertThat(pace.mostNanos()).isBetween(2_000L, 2_100L);
    for (int i = 0; i < 100; i++) {
      pace.measured(10_000);
    }
    assertThat(pace.meanNanos()).isBetween(9_000L, 10_000L);
  }

  @Test
  void oneThatDiedHardlyChangesIt() {
    pace.measured(1_000);
    pace.measured(1_000_000_000);
    assertThat(pace.meanNanos()).isLessThan(1_200);
  }
}
