package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureProbabilityTest {
  /** Rounding alone: the terms differ from exact ones in the last of 16 digits or so. */
  private static final Percentage ROUNDING = Percentage.withPercentage(1e-9);

  private static final List<String> PROBABILITIES =
      List.of("0.000001", "0.001", "0.01", "0.1", "0.3", "0.5", "0.9");

  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.99})
  void equalsTheSumOverAllSetsOfFailedServers(double p) {
    assertThat(ThresholdQuorums.dissemination(7, 2).failureProbability(p))
        .isCloseTo(NaiveQuorums.threshold(7, 2, 5).failureProbability(p), ROUNDING);
    assertThat(ThresholdQuorums.masking(13, 3).failureProbability(p))
        .isCloseTo(NaiveQuorums.threshold(13, 3, 10).failureProbability(p), ROUNDING);
    assertThat(GridQuorums.of(9, 0).failureProbability(p))
        .isCloseTo(NaiveQuorums.lines(3, 0, 1, 1).failureProbability(p), ROUNDING);
    assertThat(GridQuorums.of(16, 1).failureProbability(p))
        .isCloseTo(NaiveQuorums.lines(4, 1, 3, 1).failureProbability(p), ROUNDING);
    assertThat(MGridQuorums.of(9, 1).failureProbability(p))
        .isCloseTo(NaiveQuorums.lines(3, 1, 2, 2).failureProbability(p), ROUNDING);
    assertThat(MGridQuorums.of(16, 1).failureProbability(p))
        .isCloseTo(NaiveQuorums.lines(4, 1, 2, 2).failureProbability(p), ROUNDING);
  }

  @ParameterizedTest
  @CsvSource({"4, 1", "5, 1", "6, 1", "7, 1", "7, 2", "8, 1", "8, 2"})
  void largeGridsEqualExactInclusionAndExclusion(int side, int faults) {
    for (String p : PROBABILITIES) {
      assertThat(GridQuorums.of(side * side, faults).failureProbability(Double.parseDouble(p)))
          .as("p=%s", p)
          .isCloseTo(exactForLines(side, 2 * faults + 1, 1, p), ROUNDING);
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 2", "6, 2", "7, 3", "8, 1", "8, 2", "8, 3"})
  void largeMGridsEqualExactInclusionAndExclusion(int side, int faults) {
    for (String p : PROBABILITIES) {
      assertThat(MGridQuorums.of(side * side, faults).failureProbability(Double.parseDouble(p)))
          .as("p=%s", p)
          .isCloseTo(exactForLines(side, 2, 2, p), ROUNDING);
    }
  }

  @ParameterizedTest
  @CsvSource({"64, 21, 43", "64, 0, 33", "32, 3, 20"})
  void largeThresholdsEqualExactArithmetic(int servers, int faults, int size) {
    for (String p : PROBABILITIES) {
      ThresholdQuorums quorums = new ThresholdQuorums(servers, faults, size);
      BigDecimal failing = new BigDecimal(p);
      BigDecimal working = BigDecimal.ONE;
      for (int alive = size; alive <= servers; alive++) {
        working =
            working.subtract(
                new BigDecimal(binomial(servers, alive))
                    .multiply(BigDecimal.ONE.subtract(failing).pow(alive))
                    .multiply(failing.pow(servers - alive)));
      }

      assertThat(quorums.failureProbability(Double.parseDouble(p)))
          .as("p=%s", p)
          .isCloseTo(working.doubleValue(), ROUNDING);
    }
  }

  @Test
  void isCertainAtTheEnds() {
    for (QuorumSystem quorums :
        List.of(ThresholdQuorums.masking(64, 15), GridQuorums.of(64, 2), MGridQuorums.of(64, 3))) {
      assertThat(quorums.failureProbability(0)).isZero();
      assertThat(quorums.failureProbability(1)).isCloseTo(1, within(1e-15)).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void refusesWhatIsNoProbability() {
    for (double p : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ThresholdQuorums.masking(5, 1).failureProbability(p))
          .withMessage("a probability is 0 to 1, " + p + " was given");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GridQuorums.of(16, 1).failureProbability(p));
    }
  }

  /**
   * Inclusion and exclusion over whole rows and whole columns, in exact arithmetic: the sum
   * alternates, and in floating point little of a small result would be left.
   */
  private static double exactForLines(int side, int rows, int columns, String p) {
    BigDecimal alive = BigDecimal.ONE.subtract(new BigDecimal(p));
    BigDecimal works = BigDecimal.ZERO;
    for (int i = rows; i <= side; i++) {
      for (int j = columns; j <= side; j++) {
        BigInteger ways =
            binomial(side, i)
                .multiply(binomial(side, j))
                .multiply(binomial(i - 1, rows - 1))
                .multiply(binomial(j - 1, columns - 1));
        BigDecimal term = new BigDecimal(ways).multiply(alive.pow(side * (i + j) - i * j));
        works = (i - rows + j - columns) % 2 == 0 ? works.add(term) : works.subtract(term);
      }
    }
    return BigDecimal.ONE.subtract(works).doubleValue();
  }

  private static BigInteger binomial(int n, int k) {
    BigInteger ways = BigInteger.ONE;
    for (int i = 1; i <= k; i++) {
      ways = ways.multiply(BigInteger.valueOf(n - k + i)).divide(BigInteger.valueOf(i));
    }
    return ways;
  }
}
