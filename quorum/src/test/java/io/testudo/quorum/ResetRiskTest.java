package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResetRiskTest {
  private static Thresholds sigma(int servers, int quorum) {
    return Needs.SIGMA.need().thresholds(servers, Needs.SIGMA.need().mostFaults(quorum), quorum);
  }

  /** Every set of servers that may forget, one by one. */
  private static double naive(int count, int least, double p) {
    double sum = 0;
    for (long forgetful = 0; forgetful < 1L << count; forgetful++) {
      int size = Long.bitCount(forgetful);
      if (size >= least) {
        sum += Math.pow(p, size) * Math.pow(1 - p, count - size);
      }
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"4,3", "5,4", "7,5", "8,6", "10,7", "16,12"})
  void addsUpEverySetThatIsLargeEnough(int servers, int quorum) {
    Thresholds thresholds = sigma(servers, quorum);
    int shared = thresholds.shared();
    for (double p : new double[] {0, 0.001, 0.3, 1}) {
      double granters = naive(quorum, shared, p);
      double all = naive(servers, shared, p);
      assertThat(ResetRisk.amongGranters(thresholds, p))
          .isCloseTo(granters, within(granters * 1e-9));
      assertThat(ResetRisk.amongAll(thresholds, p)).isCloseTo(all, within(all * 1e-9));
    }
  }

  /** T = 10,000 s and t = 10 s, as in the paper. */
  @ParameterizedTest
  @CsvSource({"4,3,3.0e-6", "8,6,1.5e-11", "16,12,4.9e-22", "32,22,6.4e-31", "32,24,7.3e-43"})
  void givesTheFiguresOfTheDesign(int servers, int quorum, double risk) {
    assertThat(ResetRisk.amongGranters(sigma(servers, quorum), 0.001))
        .isCloseTo(risk, within(risk * 0.02));
  }

  @Test
  void givesTheFigureThatThePaperQuotes() {
    assertThat(ResetRisk.amongAll(sigma(32, 24), 0.001)).isCloseTo(5.9e-40, within(0.1e-40));
  }

  /** Every set of members that may forget, with every way to place those that granted the lock. */
  private static double naiveInARing(int members, int granters, int least, double p) {
    double sum = 0;
    int placements = (int) Math.pow(members, granters);
    for (int forgetful = 0; forgetful < 1 << members; forgetful++) {
      int broken = 0;
      for (int placement = 0; placement < placements; placement++) {
        int forgotten = 0;
        for (int left = placement, i = 0; i < granters; i++, left /= members) {
          forgotten += forgetful >> left % members & 1;
        }
        broken += forgotten >= least ? 1 : 0;
      }
      int size = Integer.bitCount(forgetful);
      sum += Math.pow(p, size) * Math.pow(1 - p, members - size) * broken / placements;
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "6"})
  void aMemberOfARingForgetsForAllTheReplicasThatItHas(int members) {
    Thresholds thresholds = sigma(5, 4);
    for (double p : new double[] {0, 0.001, 0.3, 1}) {
      double risk = naiveInARing(members, 4, 3, p);
      assertThat(ResetRisk.amongGranters(thresholds, members, p))
          .isCloseTo(risk, within(risk * 1e-9));
    }
  }

  /** With so many members hardly one has two replicas of a lock, and none of them forgets. */
  @Test
  void inALargeRingItIsAsWithServers() {
    double risk = ResetRisk.amongGranters(sigma(5, 4), 0.3);
    assertThat(ResetRisk.amongGranters(sigma(5, 4), 100_000, 0.3))
        .isCloseTo(risk, within(risk * 1e-3));
  }

  @Test
  void liarsNeedNotForget() {
    Thresholds thresholds = Needs.SIGMA_HARDENED.need().thresholds(7, 1);
    double risk = naive(thresholds.quorum() - 1, thresholds.shared() - 1, 0.01);
    assertThat(ResetRisk.amongGranters(thresholds, 0.01)).isCloseTo(risk, within(risk * 1e-9));
  }

  @Test
  void takesProbabilitiesOnly() {
    Thresholds thresholds = sigma(4, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResetRisk.amongGranters(thresholds, 1.001));
  }
}
