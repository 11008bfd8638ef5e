package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NeedTest {
  private static final int MOST_ENUMERATED_FAULTS = 2;

  @ParameterizedTest
  @EnumSource(Needs.class)
  void worksWithExactlyTheSizesThatEnumerationFinds(Needs named) {
    Need need = named.need();
    for (int faults = 0; faults <= MOST_ENUMERATED_FAULTS; faults++) {
      int least = need.leastServers(faults);
      for (int servers = least; servers <= least + 2; servers++) {
        Thresholds thresholds = need.thresholds(servers, faults);

        assertThat(NaiveThresholds.quorumsThatWork(need, servers, faults))
            .as("%s", thresholds)
            .containsExactly(
                IntStream.rangeClosed(thresholds.smallestQuorum(), thresholds.largestQuorum())
                    .toArray())
            .contains(thresholds.quorum());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Needs.class)
  void noQuorumWorksWithOneServerLessThanTheLeast(Needs named) {
    Need need = named.need();
    for (int faults = 1; faults <= MOST_ENUMERATED_FAULTS; faults++) {
      assertThat(NaiveThresholds.quorumsThatWork(need, need.leastServers(faults) - 1, faults))
          .as("%s, %d faults", need, faults)
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Needs.class)
  void everySizeOfClusterToleratesItsMostFaultsAndNoMore(Needs named) {
    Need need = named.need();
    for (int servers = 1; servers <= ServerId.MAX_SERVERS; servers++) {
      int most = need.mostFaults(servers);

      assertThat(need.leastServers(most)).isLessThanOrEqualTo(servers);
      assertThat(need.leastServers(most + 1)).isGreaterThan(servers);
      for (int faults = 0; faults <= most; faults++) {
        Thresholds thresholds = need.thresholds(servers, faults);
        assertThat(thresholds.quorum())
            .as("%s", thresholds)
            .isBetween(thresholds.smallestQuorum(), thresholds.largestQuorum());
        assertThat(thresholds.shared()).isGreaterThanOrEqualTo(need.sharedServers(faults));
        assertThat(servers - thresholds.quorum())
            .isGreaterThanOrEqualTo(need.absentServers(faults));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    // need, servers, faults, quorum: the numbers of the papers and the designs
    "PING, 4, 1, 3",
    "PING, 6, 1, 5",
    "LOCK_ALL_SERVERS, 4, 1, 3",
    "LOCK_ALL_SERVERS, 6, 1, 4",
    "LOCK_ALL_SERVERS, 7, 2, 5",
    "LOCK_QUORUMS, 6, 1, 5",
    "LOCK_QUORUMS, 11, 2, 9",
    "ORDER_PLAIN, 7, 1, 5",
    "ORDER_PLAIN, 13, 2, 9",
    "ORDER_SEALED_RANKS, 5, 1, 4",
    "ORDER_SEALED_RANKS, 9, 2, 7",
    "ORDER_SEALED_STATEMENTS, 4, 1, 3",
    "ORDER_SEALED_STATEMENTS, 7, 2, 5",
    "SIGMA, 4, 1, 3",
    "SIGMA, 5, 1, 4",
    "SIGMA, 7, 2, 5",
    "SIGMA, 32, 10, 22",
    "SIGMA_HARDENED, 4, 1, 3",
    "SIGMA_HARDENED, 6, 1, 4",
    "SIGMA_HARDENED, 7, 2, 5",
  })
  void takesTheQuorumOfItsPaper(Needs named, int servers, int faults, int quorum) {
    Need need = named.need();
    assertThat(need.thresholds(servers, faults).quorum()).isEqualTo(quorum);
  }

  @Test
  void sigmaTakesAnyGrantsThatAreSafeAndReachable() {
    assertThat(Needs.SIGMA.need().thresholds(32, 8, 24).quorum()).isEqualTo(24);
    assertThat(Needs.SIGMA.need().thresholds(32, 8, 21).quorum()).isEqualTo(21);
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> Needs.SIGMA.need().thresholds(32, 8, 20))
        .withMessage(
            "f=8 in mode sigma with 32 servers needs a quorum of 21 to 24, 20 are configured");
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> Needs.SIGMA.need().thresholds(32, 8, 25))
        .withMessage(
            "f=8 in mode sigma with 32 servers needs a quorum of 21 to 24, 25 are configured");
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> Needs.SIGMA.need().thresholds(32, 10, 24))
        .withMessage(
            "f=10 in mode sigma with 32 servers needs a quorum of exactly 22, 24 are configured");
  }

  @ParameterizedTest
  @EnumSource(Needs.class)
  void findsTheMostFaultsThatGrantsOfOnesOwnBear(Needs named) {
    Need need = named.need();
    for (int servers = 1; servers <= 16; servers++) {
      for (int quorum = 1; quorum <= servers; quorum++) {
        int most = NaiveThresholds.mostFaults(need, servers, quorum);
        if (most >= 0) {
          assertThat(need.mostFaults(servers, quorum)).isEqualTo(most);
        } else {
          int size = servers;
          int too = quorum;
          assertThatExceptionOfType(QuorumConfigurationException.class)
              .isThrownBy(() -> need.mostFaults(size, too));
        }
      }
    }
    assertThat(Needs.SIGMA.need().mostFaults(32, 24)).isEqualTo(8);
    assertThat(Needs.SIGMA.need().mostFaults(32, 22)).isEqualTo(10);
  }

  @Test
  void withoutFaultsOneServerIsACluster() {
    for (Need need : Needs.all()) {
      assertThat(need.leastServers(0)).isEqualTo(1);
      assertThat(need.thresholds(1, 0).quorum()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ORDER_PLAIN | 5 | 1 | b=1 in mode plain needs 7 servers, 5 are configured",
        "LOCK_QUORUMS | 1 | 1 | b=1 in mode quorums needs 6 servers, 1 is configured",
        "SIGMA | 6 | 2 | f=2 in mode sigma needs 7 servers, 6 are configured",
        "PING | 0 | 0 | a cluster has 1 to 64 servers, 0 are configured",
        "PING | 65 | 1 | a cluster has 1 to 64 servers, 65 are configured",
        "PING | 4 | -1 | b is 0 to 64, b=-1 is configured",
        "SIGMA | 4 | 65 | f is 0 to 64, f=65 is configured",
        "ORDER_PLAIN | 64 | 64 | b=64 in mode plain needs 385 servers, 64 are configured",
      })
  void saysWhatIsWrongWithAConfiguration(Needs named, int servers, int faults, String message) {
    Need need = named.need();
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> need.thresholds(servers, faults))
        .withMessage(message);
  }

  @Test
  void refusesQuestionsAboutImpossibleClusters() {
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> Need.PING.mostFaults(0))
        .withMessage("a cluster has 1 to 64 servers, 0 are configured");
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> Need.PING.leastServers(-1))
        .withMessage("b is 0 to 64, b=-1 is configured");
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> Need.PING.absentServers(Integer.MAX_VALUE));
  }
}
