package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ThresholdQuorumsTest {
  /**
   * A class of Malkhi and Reiter.
   *
   * @param quorumSize the size that the code takes, for n and b
   * @param definition what the class is, in their words
   * @param leastServers for b = 0, 1, 2
   */
  record QuorumClass(
      String name,
      IntBinaryOperator quorumSize,
      Predicate<NaiveQuorums> definition,
      List<Integer> leastServers) {

    /** The sizes with which any so many servers form a system of this class. */
    int[] sizesThatWork(int servers, int faults) {
      return IntStream.rangeClosed(1, servers)
          .filter(size -> definition.test(NaiveQuorums.threshold(servers, faults, size)))
          .toArray();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<QuorumClass> classes() {
    return List.of(
        new QuorumClass(
            "dissemination",
            (n, b) -> ThresholdQuorums.dissemination(n, b).quorumSize(),
            NaiveQuorums::isDissemination,
            List.of(1, 4, 7)),
        new QuorumClass(
            "masking",
            (n, b) -> ThresholdQuorums.masking(n, b).quorumSize(),
            NaiveQuorums::isMasking,
            List.of(1, 5, 9)),
        new QuorumClass(
            "opaque",
            (n, b) -> ThresholdQuorums.opaque(n, b).quorumSize(),
            NaiveQuorums::isOpaque,
            List.of(1, 5, 10)));
  }

  @ParameterizedTest
  @MethodSource("classes")
  void takesTheSmallestQuorumThatTheDefinitionAllows(QuorumClass quorumClass) {
    for (int faults = 0; faults < quorumClass.leastServers().size(); faults++) {
      int least = quorumClass.leastServers().get(faults);
      for (int servers = least; servers <= Math.min(10, least + 3); servers++) {
        int[] works = quorumClass.sizesThatWork(servers, faults);

        assertThat(works).as("n=%d, b=%d", servers, faults).isNotEmpty();
        assertThat(quorumClass.quorumSize().applyAsInt(servers, faults)).isEqualTo(works[0]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("classes")
  void noQuorumWorksWithOneServerLessThanTheLeast(QuorumClass quorumClass) {
    for (int faults = 1; faults < quorumClass.leastServers().size(); faults++) {
      int oneLess = quorumClass.leastServers().get(faults) - 1;
      int b = faults;

      assertThat(quorumClass.sizesThatWork(oneLess, b)).isEmpty();
      assertThatExceptionOfType(QuorumConfigurationException.class)
          .isThrownBy(() -> quorumClass.quorumSize().applyAsInt(oneLess, b))
          .withMessageContaining("needs " + (oneLess + 1) + " servers");
    }
  }

  @Test
  void propertiesEqualThoseOfTheWrittenOutQuorums() {
    for (int servers = 1; servers <= 7; servers++) {
      for (int size = servers / 2 + 1; size <= servers; size++) {
        ThresholdQuorums quorums = new ThresholdQuorums(servers, 0, size);
        NaiveQuorums twin = NaiveQuorums.threshold(servers, 0, size);

        assertThat(quorums.intersection()).isEqualTo(twin.leastIntersection());
        assertThat(quorums.resilience()).isEqualTo(twin.resilience());
        assertThat(quorums.load())
            .isEqualTo(twin.leastConceivableLoad())
            .isEqualTo(twin.loadOfDrawingEachEquallyOften());
        Subsets.ofFirst(servers)
            .forEach(
                answered ->
                    assertThat(quorums.containsQuorum(new ServerSet(answered)))
                        .isEqualTo(twin.containsQuorum(answered)));
      }
    }
  }

  @Test
  void answersOfServersBeyondTheClusterDoNotCount() {
    ThresholdQuorums quorums = ThresholdQuorums.dissemination(4, 1);

    assertThat(quorums.containsQuorum(new ServerSet(0b110011))).isFalse();
    assertThat(quorums.containsQuorum(new ServerSet(0b110111))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Needs.class)
  void meetsANeedExactlyWhenEnumerationSaysSo(Needs named) {
    Need need = named.need();
    for (int servers = 3; servers <= 8; servers++) {
      for (int size = servers / 2 + 1; size <= servers - 1; size++) {
        assertThat(new ThresholdQuorums(servers, 1, size).meets(need))
            .as("%s: %d of %d", need, size, servers)
            .isEqualTo(contains(NaiveThresholds.quorumsThatWork(need, servers, 1), size));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3 | 1 | b=1 in a dissemination system needs 4 servers, 3 are configured",
        "0 | 0 | a cluster has 1 to 64 servers, 0 are configured",
        "65 | 1 | a cluster has 1 to 64 servers, 65 are configured",
        "4 | -1 | b is 0 to 64, b=-1 is configured",
      })
  void saysWhatIsWrongWithAConfiguration(int servers, int faults, String message) {
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> ThresholdQuorums.dissemination(servers, faults))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4 | 1 | 2 | b=1 with 4 servers needs a quorum of 3 to 3, 2 are configured",
        "4 | 1 | 4 | b=1 with 4 servers needs a quorum of 3 to 3, 4 are configured",
        "2 | 1 | 2 | b=1 in a threshold system needs 3 servers, 2 are configured",
      })
  void refusesSizesThatDoNotMeetOrCannotBeReached(
      int servers, int faults, int size, String message) {
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> new ThresholdQuorums(servers, faults, size))
        .withMessage(message);
  }

  private static boolean contains(int[] sizes, int size) {
    return IntStream.of(sizes).anyMatch(one -> one == size);
  }
}
