package io.testudo.quorum.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EntropyTest {
  @Test
  void givesTheNumbersOfSplitMix64() {
    // The first numbers of seed 1234567, as published with the reference implementation.
    Entropy entropy = Entropy.seeded(1_234_567);
    assertThat(LongStream.generate(entropy::nextLong).limit(3))
        .containsExactly(
            6_457_827_717_110_365_317L, 3_203_168_211_198_807_973L, -8_629_252_141_511_181_193L);
  }

  @Test
  void staysWithinItsBoundAndReachesAllOfIt() {
    Entropy entropy = Entropy.seeded(1);
    int[] seen = new int[7];
    for (int i = 0; i < 7_000; i++) {
      seen[entropy.nextInt(7)]++;
    }
    assertThat(IntStream.of(seen)).allMatch(count -> count > 800 && count < 1_200);
    assertThat(entropy.nextLong(1)).isZero();
    assertThat(entropy.nextLong(Long.MAX_VALUE)).isNotNegative();
  }

  @Test
  void drawsAgainWhereSmallNumbersWouldBeFavoured() {
    // With a bound of two thirds of the range, one draw in three must be thrown away.
    long bound = Long.MAX_VALUE / 3 * 2;
    long[] draws = {-1, 4};
    int[] used = {0};
    Entropy scripted = () -> draws[used[0]++];

    assertThat(scripted.nextLong(bound)).isEqualTo(2);
    assertThat(used[0]).isEqualTo(2);
  }

  @Test
  void refusesABoundThatIsNotPositive() {
    assertThatThrownBy(() -> Entropy.seeded(1).nextLong(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void forksStreamsThatDifferByLabelAndRepeatBySeed() {
    assertThat(Entropy.seeded(5).fork(1).nextLong())
        .isEqualTo(Entropy.seeded(5).fork(1).nextLong());
    assertThat(Entropy.seeded(5).fork(1).nextLong())
        .isNotEqualTo(Entropy.seeded(5).fork(2).nextLong());
  }

  @Test
  void takesChancesAsOftenAsAsked() {
    Entropy entropy = Entropy.seeded(3);
    long hits = LongStream.range(0, 10_000).filter(i -> entropy.chance(0.25)).count();
    assertThat(hits).isBetween(2_300L, 2_700L);
    assertThat(entropy.chance(0)).isFalse();
    assertThat(entropy.chance(1)).isTrue();
  }
}
