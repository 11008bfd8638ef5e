package io.testudo.mutex.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.quorum.protocol.Moment;
import io.testudo.quorum.spi.Entropy;
import org.junit.jupiter.api.Test;

class RankClockTest {
  private static final String NAME = "printer";
  private static final Moment NOW = new Moment(0, 1_000);

  private final RankClock clock = new RankClock();
  private final Entropy entropy = Entropy.seeded(1);

  @Test
  void neverGivesTheSameTimeTwiceOrGoesBack() {
    long before = 0;
    for (long wall : new long[] {5, 5, 5, 3, 3, 9, 0, -4}) {
      long time = clock.next(NAME, new Moment(0, wall), entropy);
      assertThat(time).isGreaterThan(before);
      before = time;
    }
  }

  @Test
  void isWithinAMillisecondOfTheWallClock() {
    long time = clock.next(NAME, NOW, entropy);
    assertThat(time).isBetween(RankClock.atWall(1_000), RankClock.atWall(1_001) - 1);
  }

  @Test
  void goesOnAboveWhatItWasShown() {
    long shown = RankClock.atWall(5_000) + 17;
    clock.observe(NAME, shown);
    long next = clock.next(NAME, NOW, entropy);
    assertThat(next).isBetween(shown + 1, shown + RankClock.ofMillis(1));
    clock.observe(NAME, 3);
    assertThat(clock.next(NAME, NOW, entropy)).isGreaterThan(next);
    assertThat(clock.next(NAME, new Moment(0, 6_000), entropy))
        .isBetween(RankClock.atWall(6_000), RankClock.atWall(6_001) - 1);
  }

  @Test
  void isNotMovedByWhatIsShownOfAnotherName() {
    clock.observe("rogue", RankClock.MAX_TIME);
    assertThat(clock.next(NAME, NOW, entropy)).isLessThan(RankClock.atWall(1_001));
    assertThat(clock.next("rogue", NOW, entropy)).isEqualTo(RankClock.MAX_TIME);
    assertThat(clock.forget("rogue")).isTrue();
    assertThat(clock.forget("rogue")).isFalse();
    assertThat(clock.next("rogue", NOW, entropy)).isLessThan(RankClock.atWall(1_001));
  }

  @Test
  void neverOverflows() {
    clock.observe(NAME, Long.MAX_VALUE);
    assertThat(clock.next(NAME, new Moment(0, Long.MAX_VALUE), entropy))
        .isEqualTo(RankClock.MAX_TIME);
    assertThat(RankClock.atWall(Long.MAX_VALUE)).isPositive();
  }

  @Test
  void keepsAFewNamesThatAreAhead() {
    for (int i = 0; i <= RankClock.MAX_NAMES; i++) {
      clock.observe("name" + i, RankClock.atWall(5_000));
    }
    assertThat(clock.forget("name0")).isFalse();
    assertThat(clock.forget("name1")).isTrue();
  }
}
