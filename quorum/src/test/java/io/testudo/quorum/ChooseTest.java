package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChooseTest {
  record Pair(QuorumSystem quorums, NaiveQuorums twin) {
    @Override
    public String toString() {
      return quorums.toString();
    }
  }

  static List<Pair> constructions() {
    return List.of(
        new Pair(ThresholdQuorums.dissemination(4, 1), NaiveQuorums.threshold(4, 1, 3)),
        new Pair(ThresholdQuorums.masking(7, 1), NaiveQuorums.threshold(7, 1, 5)),
        new Pair(GridQuorums.of(9, 0), NaiveQuorums.lines(3, 0, 1, 1)),
        new Pair(GridQuorums.of(16, 1), NaiveQuorums.lines(4, 1, 3, 1)),
        new Pair(MGridQuorums.of(9, 1), NaiveQuorums.lines(3, 1, 2, 2)),
        new Pair(MGridQuorums.of(16, 1), NaiveQuorums.lines(4, 1, 2, 2)));
  }

  @ParameterizedTest
  @MethodSource("constructions")
  void drawsEveryQuorumEquallyOftenWhenNoneIsAvoided(Pair pair) {
    checkOdds(pair, ServerSet.none());
  }

  @ParameterizedTest
  @MethodSource("constructions")
  void drawsEquallyAmongTheQuorumsWithTheFewestAvoidedServers(Pair pair) {
    int servers = pair.quorums.servers();
    if (servers <= 9) {
      Subsets.ofFirst(servers).forEach(avoid -> checkOdds(pair, new ServerSet(avoid)));
    } else {
      SplittableRandom random = new SplittableRandom(7);
      for (int i = 0; i < 300; i++) {
        long half = random.nextLong();
        long few = half & random.nextLong();
        checkOdds(pair, new ServerSet(i % 2 == 0 ? few : few & random.nextLong()));
      }
    }
  }

  @Test
  void avoidsAFaultySetOfTheLargestGridsAltogether() {
    SplittableRandom random = new SplittableRandom(3);
    List<QuorumSystem> largest =
        List.of(ThresholdQuorums.masking(64, 15), GridQuorums.of(64, 2), MGridQuorums.of(64, 3));
    for (QuorumSystem quorums : largest) {
      for (int i = 0; i < 200; i++) {
        long suspected = Chance.subset(-1L, quorums.faults(), random::nextInt);
        ServerSet chosen = quorums.choose(new ServerSet(suspected), random::nextInt);

        assertThat(chosen.size()).isEqualTo(quorums.quorumSize());
        assertThat(quorums.containsQuorum(chosen)).isTrue();
        assertThat(chosen.bits() & suspected).isZero();
      }
    }
  }

  @Test
  void refusesRandomnessThatBreaksItsPromise() {
    ThresholdQuorums quorums = ThresholdQuorums.masking(5, 1);

    assertThatIllegalStateException()
        .isThrownBy(() -> quorums.choose(ServerSet.none(), bound -> bound))
        .withMessage("5 was drawn from 0 to below 5");
    assertThatIllegalStateException()
        .isThrownBy(() -> quorums.choose(ServerSet.none(), bound -> -1));
  }

  private static void checkOdds(Pair pair, ServerSet avoid) {
    int fewest = pair.twin.fewestIn(avoid.bits());
    List<ServerSet> best =
        pair.twin.quorums().stream()
            .filter(quorum -> quorum.intersect(avoid).size() == fewest)
            .toList();

    Map<ServerSet, Double> odds = EveryDraw.oddsOf(pick -> pair.quorums.choose(avoid, pick));

    assertThat(odds.keySet()).as("avoiding %s", avoid).containsExactlyInAnyOrderElementsOf(best);
    assertThat(odds.values())
        .allSatisfy(chance -> assertThat(chance).isCloseTo(1.0 / best.size(), within(1e-12)));
  }
}
