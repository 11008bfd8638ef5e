package io.testudo.quorum.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** How long clients wait before they dial again. */
class RedialDelayTest {
  private static final long LASTED_NANOS =
      TimeUnit.MILLISECONDS.toNanos(RedialDelay.LONGEST_MILLIS);

  /** Draws the longest delay each time, so that the ceilings can be seen. */
  private static final RandomGenerator LONGEST =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          throw new UnsupportedOperationException("only bounded numbers are drawn");
        }

        @Override
        public long nextLong(long bound) {
          return bound - 1;
        }
      };

  @Test
  void doublesItsCeilingUpToALimit() {
    RedialDelay delay = new RedialDelay();
    for (long expected : new long[] {20, 40, 80, 160, 320, 640, 1280, 2560, 3000, 3000}) {
      assertThat(delay.nextMillis(0, LONGEST)).isEqualTo(expected);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(delay.nextMillis(0, LONGEST)).isEqualTo(3000);
    }
  }

  @Test
  void isNotFooledByConnectionsThatDoNotLast() {
    RedialDelay delay = new RedialDelay();
    for (int i = 0; i < 20; i++) {
      delay.nextMillis(LASTED_NANOS - 1, LONGEST);
    }
    assertThat(delay.nextMillis(LASTED_NANOS - 1, LONGEST)).isEqualTo(3000);
  }

  @Test
  void beginsAnewAfterAConnectionThatHasLasted() {
    RedialDelay delay = new RedialDelay();
    for (int i = 0; i < 20; i++) {
      delay.nextMillis(0, LONGEST);
    }
    assertThat(delay.nextMillis(LASTED_NANOS, LONGEST)).isEqualTo(20);
    assertThat(delay.nextMillis(0, LONGEST)).isEqualTo(40);
  }

  @Test
  void spreadsClientsThatLostTheirServerAtTheSameMoment() {
    Random random = new Random(7);
    Set<Long> delays = new HashSet<>();
    for (int client = 0; client < 1_000; client++) {
      RedialDelay delay = new RedialDelay();
      for (int loss = 0; loss < 8; loss++) {
        delay.nextMillis(0, random);
      }
      delays.add(delay.nextMillis(0, random));
    }
    assertThat(delays).hasSizeGreaterThan(500).allMatch(millis -> millis >= 1 && millis <= 3000);
  }
}
