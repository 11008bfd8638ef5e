package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LineQuorumsTest {
  /** A grid and its twin, for which the rows and columns are given as numbers. */
  record Pair(QuorumSystem quorums, NaiveQuorums twin) {
    static Pair grid(int side, int faults, int rows) {
      return new Pair(
          GridQuorums.of(side * side, faults), NaiveQuorums.lines(side, faults, rows, 1));
    }

    static Pair mGrid(int side, int faults, int lines) {
      return new Pair(
          MGridQuorums.of(side * side, faults), NaiveQuorums.lines(side, faults, lines, lines));
    }

    @Override
    public String toString() {
      return quorums.toString();
    }
  }

  static List<Pair> everySizeWorthEnumerating() {
    return List.of(
        Pair.grid(1, 0, 1),
        Pair.grid(2, 0, 1),
        Pair.grid(3, 0, 1),
        Pair.grid(4, 0, 1),
        Pair.grid(4, 1, 3),
        Pair.grid(5, 1, 3),
        Pair.grid(6, 1, 3),
        Pair.grid(7, 1, 3),
        Pair.grid(7, 2, 5),
        Pair.mGrid(1, 0, 1),
        Pair.mGrid(2, 0, 1),
        Pair.mGrid(3, 0, 1),
        Pair.mGrid(3, 1, 2),
        Pair.mGrid(4, 1, 2),
        Pair.mGrid(5, 1, 2),
        Pair.mGrid(5, 2, 2),
        Pair.mGrid(6, 2, 2),
        Pair.mGrid(7, 3, 2));
  }

  @ParameterizedTest
  @MethodSource("everySizeWorthEnumerating")
  void masksItsFaultsByDefinition(Pair pair) {
    assertThat(pair.twin.isMasking()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("everySizeWorthEnumerating")
  void propertiesEqualThoseOfTheWrittenOutQuorums(Pair pair) {
    QuorumSystem quorums = pair.quorums;

    assertThat(quorums.servers()).isEqualTo(pair.twin.servers());
    assertThat(quorums.faults()).isEqualTo(pair.twin.faults());
    assertThat(pair.twin.quorums()).allMatch(quorum -> quorum.size() == quorums.quorumSize());
    assertThat(quorums.intersection()).isEqualTo(pair.twin.leastIntersection());
    assertThat(quorums.load())
        .isEqualTo(pair.twin.leastConceivableLoad())
        .isEqualTo(pair.twin.loadOfDrawingEachEquallyOften());
  }

  @ParameterizedTest
  @MethodSource("everySizeWorthEnumerating")
  void resilienceEqualsThatOfTheWrittenOutQuorums(Pair pair) {
    if (pair.quorums.servers() <= 16) {
      assertThat(pair.quorums.resilience()).isEqualTo(pair.twin.resilience());
    } else {
      // Breaking one quorum after another by enumeration takes too long; a diagonal breaks most.
      int resilience = pair.quorums.resilience();
      int side = (int) Math.sqrt(pair.quorums.servers());
      long diagonal = 0;
      for (int i = 0; i <= resilience; i++) {
        assertThat(pair.twin.fewestIn(diagonal)).isZero();
        diagonal |= 1L << (i * side + i);
      }
      assertThat(pair.twin.fewestIn(diagonal)).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("everySizeWorthEnumerating")
  void recognisesEveryQuorumAndNothingLess(Pair pair) {
    QuorumSystem quorums = pair.quorums;
    for (ServerSet quorum : pair.twin.quorums()) {
      assertThat(quorums.containsQuorum(quorum)).isTrue();
      for (ServerId server : quorum) {
        assertThat(quorums.containsQuorum(quorum.without(server))).isFalse();
      }
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2_000; i++) {
      // Half of the servers are seldom a quorum, so a second draw adds to them.
      long some = random.nextLong();
      long answered = some | random.nextLong();
      assertThat(quorums.containsQuorum(new ServerSet(answered)))
          .isEqualTo(pair.twin.containsQuorum(answered));
    }
  }

  @ParameterizedTest
  @MethodSource("everySizeWorthEnumerating")
  void meetsANeedWhenItsTwinSharesAndSparesEnough(Pair pair) {
    for (Need need : Needs.all()) {
      int faults = pair.twin.faults();
      boolean expected =
          pair.twin.leastIntersection() >= need.sharedServers(faults)
              && pair.twin.isAvailableWithout(need.absentServers(faults));

      assertThat(pair.quorums.meets(need)).as("%s", need).isEqualTo(expected);
    }
  }

  @Test
  void gridOneSideSmallerThanTheLeastIsNotAvailable() {
    assertThat(NaiveQuorums.lines(3, 1, 3, 1).isMasking()).isFalse();
    assertThat(NaiveQuorums.lines(6, 2, 5, 1).isMasking()).isFalse();
  }

  @Test
  void mGridBoundIsEnoughButNotAlwaysNecessary() {
    assertThat(NaiveQuorums.lines(2, 1, 2, 2).isMasking()).isFalse();
    assertThat(NaiveQuorums.lines(3, 2, 2, 2).isMasking()).isFalse();
    assertThat(NaiveQuorums.lines(4, 2, 2, 2).isMasking()).isTrue();
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> MGridQuorums.of(16, 2));
  }

  @Test
  void mGridWithFewerLinesDoesNotMask() {
    assertThat(NaiveQuorums.lines(4, 1, 1, 1).isMasking()).isFalse();
    assertThat(NaiveQuorums.lines(5, 2, 1, 1).isMasking()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 2", "3, 2"})
  void mGridTakesTheRootOfItsFaultsAndOne(int faults, int lines) {
    assertThat(MGridQuorums.of(64, faults).quorumSize()).isEqualTo(2 * lines * 8 - lines * lines);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "9 | 1 | b=1 in a grid needs 16 servers, 9 are configured",
        "36 | 2 | b=2 in a grid needs 49 servers, 36 are configured",
        "10 | 1 | a grid needs a square number of servers, 10 are configured",
        "81 | 1 | a cluster has 1 to 64 servers, 81 are configured",
        "16 | -1 | b is 0 to 64, b=-1 is configured",
      })
  void gridSaysWhatIsWrongWithAConfiguration(int servers, int faults, String message) {
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> GridQuorums.of(servers, faults))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4 | 1 | b=1 in an M-grid needs 9 servers, 4 are configured",
        "36 | 3 | b=3 in an M-grid needs 49 servers, 36 are configured",
        "8 | 1 | an M-grid needs a square number of servers, 8 are configured",
      })
  void mGridSaysWhatIsWrongWithAConfiguration(int servers, int faults, String message) {
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> MGridQuorums.of(servers, faults))
        .withMessage(message);
  }

  @Test
  void readsAsASentenceOfItsNumbers() {
    assertThat(GridQuorums.of(16, 1)).hasToString("grid of 16 servers, b=1, quorums of 13");
  }
}
