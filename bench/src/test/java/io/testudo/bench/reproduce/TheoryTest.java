package io.testudo.bench.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.testudo.quorum.spi.Entropy;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TheoryTest {
  private static final int DRAWS = 20_000;

  /** The same by drawing: slow, and nothing to get wrong. */
  private static double drawn(Latency latency, int grants, int servers, boolean samePair) {
    Entropy entropy = Entropy.seeded(5);
    double sum = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      long[] nanos = new long[servers];
      for (int i = 0; i < servers; i++) {
        long there = latency.drawNanos(entropy);
        nanos[i] = there + (samePair ? there : latency.drawNanos(entropy));
      }
      Arrays.sort(nanos);
      sum += nanos[grants - 1] / 1e6;
    }
    return sum / DRAWS;
  }

  @ParameterizedTest
  @CsvSource({"90,110,32,24", "0,200,32,24", "10,40,4,3", "0,1,1,1"})
  void agreesWithDraws(double low, double high, int servers, int grants) {
    Latency latency = new Latency(low, high);
    double handOff = drawn(latency, grants, servers, false);
    double alone = drawn(latency, grants, servers, true);
    assertThat(Theory.handOffMillis(latency, Models.thresholds(servers, grants)))
        .isCloseTo(handOff, within(0.02 * handOff));
    assertThat(Theory.uncontendedMillis(latency, Models.thresholds(servers, grants)))
        .isCloseTo(alone, within(0.02 * alone));
  }

  @Test
  void givesTheSaturationOfTheDesign() {
    double[] claimed = {4.87, 4.41, 3.95};
    for (int i = 0; i < claimed.length; i++) {
      Latency latency = Claims.LATENCIES.get(i).latency();
      assertThat(Theory.saturationPerSecond(latency, Models.THRESHOLDS))
          .isCloseTo(claimed[i], within(0.01));
    }
  }
}
