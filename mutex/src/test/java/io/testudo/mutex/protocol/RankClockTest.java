package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import org.junit.jupiter.api.Test;

class RankClockTest {
  private final Entropy entropy = Entropy.seeded(1);
  private final RankClock clock = new RankClock();

  @Test
  void neverGivesATimeTwiceEvenIfTheWallClockIsSetBack() {
    long last = 0;
    for (long wall : new long[] {5, 5, 5, 9, 2, 2, 9, 10}) {
      long time = clock.next(new Moment(0, wall), entropy);
      assertThat(time).isGreaterThan(last);
      last = time;
    }
  }

  @Test
  void staysInTheMillisecondOfTheWallClock() {
    long time = clock.next(new Moment(0, 1_000), entropy);
    assertThat(time).isBetween(RankClock.atWall(1_000), RankClock.atWall(1_001) - 1);
  }

  @Test
  void goesOnAboveWhatItWasShown() {
    clock.observe(RankClock.atWall(5_000) + 17);
    assertThat(clock.next(new Moment(0, 1_000), entropy)).isEqualTo(RankClock.atWall(5_000) + 18);
    clock.observe(3);
    assertThat(clock.next(new Moment(0, 1_000), entropy)).isEqualTo(RankClock.atWall(5_000) + 19);
  }
}
