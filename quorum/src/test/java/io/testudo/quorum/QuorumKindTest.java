package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QuorumKindTest {
  private static final Need LOCK = Needs.LOCK_ALL_SERVERS.need();
  private static final Need STATEMENTS = Needs.ORDER_SEALED_STATEMENTS.need();

  /** A system and all its quorums, written out. */
  private record Written(QuorumSystem system, NaiveQuorums twin) {}

  private static List<Written> allOf(int side, int faults) {
    List<Written> all = new ArrayList<>();
    int n = side * side;
    for (int quorum = n / 2 + 1; quorum <= n - faults; quorum++) {
      all.add(
          new Written(
              new ThresholdQuorums(n, faults, quorum), NaiveQuorums.threshold(n, faults, quorum)));
    }
    if (side >= 3 * faults + 1) {
      all.add(
          new Written(
              GridQuorums.of(n, faults), NaiveQuorums.lines(side, faults, 2 * faults + 1, 1)));
    }
    int lines = faults == 0 ? 1 : 2;
    all.add(
        new Written(MGridQuorums.of(n, faults), NaiveQuorums.lines(side, faults, lines, lines)));
    return all;
  }

  private static int leastShared(NaiveQuorums one, NaiveQuorums other) {
    int least = Integer.MAX_VALUE;
    for (ServerSet mine : one.quorums()) {
      least = Math.min(least, other.fewestIn(mine.bits()));
    }
    return least;
  }

  @Test
  void whatTwoSystemsShareIsWhatTheirWrittenOutQuorumsDo() {
    for (int faults = 0; faults <= 1; faults++) {
      List<Written> all = allOf(3, faults);
      for (Written one : all) {
        for (Written other : all) {
          assertThat(one.system.leastSharedWith(other.system))
              .as("%s and %s", one.system, other.system)
              .isEqualTo(leastShared(one.twin, other.twin));
        }
      }
    }
    Written grid = new Written(GridQuorums.of(25, 1), NaiveQuorums.lines(5, 1, 3, 1));
    Written mGrid = new Written(MGridQuorums.of(25, 1), NaiveQuorums.lines(5, 1, 2, 2));
    assertThat(grid.system.leastSharedWith(mGrid.system))
        .isEqualTo(leastShared(grid.twin, mGrid.twin));
    assertThat(mGrid.system.leastSharedWith(grid.system))
        .isEqualTo(grid.system.leastSharedWith(mGrid.system));
  }

  @Test
  void aGridAndAThresholdNeedNotMeetAtAll() {
    NaiveQuorums grid = NaiveQuorums.lines(4, 0, 1, 1);
    NaiveQuorums threshold = NaiveQuorums.threshold(16, 0, 9);

    assertThat(leastShared(grid, threshold)).isZero();
    assertThat(GridQuorums.of(16, 0).leastSharedWith(new ThresholdQuorums(16, 0, 9))).isZero();

    Thresholds byLines = QuorumKind.M_GRID.thresholds(LOCK, 64, 1);
    assertThat(byLines.sharedWith(QuorumKind.LEAST.thresholds(LOCK, 64, 1))).isZero();
  }

  @Test
  void locksThatCountByThresholdsMeetInACorrectServerHoweverTheyAsk() {
    Need oneQuorum = Needs.LOCK_QUORUMS.need();
    for (int b = 0; b <= 3; b++) {
      for (int n = oneQuorum.leastServers(b); n <= 64; n++) {
        List<Thresholds> all =
            List.of(
                QuorumKind.STANDARD.thresholds(LOCK, n, b),
                QuorumKind.LEAST.thresholds(LOCK, n, b),
                QuorumKind.STANDARD.thresholds(oneQuorum, n, b),
                QuorumKind.LEAST.thresholds(oneQuorum, n, b));
        for (Thresholds one : all) {
          for (Thresholds other : all) {
            assertThat(one.sharedWith(other)).isGreaterThan(b);
          }
        }
      }
    }
  }

  /**
   * Every quorum that chose, every server that lies, every set of answers: does a reader that
   * counts by another kind take it for proven that nothing was chosen?
   */
  private static boolean readsPastWhatWasChosen(Thresholds chooses, Thresholds reads) {
    int n = chooses.servers();
    for (long chosen : Subsets.ofFirst(n, chooses.quorum())) {
      for (long lies : Subsets.ofFirst(n, chooses.faults())) {
        ServerSet lacking = new ServerSet(chosen & ~lies).complement(n);
        if (reads.excludesAQuorum(lacking)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void readersMustCountAsThoseDoWhoChoose() {
    Thresholds least = QuorumKind.LEAST.thresholds(STATEMENTS, 7, 1);
    Thresholds standard = QuorumKind.STANDARD.thresholds(STATEMENTS, 7, 1);

    assertThat(readsPastWhatWasChosen(least, least)).isFalse();
    assertThat(readsPastWhatWasChosen(standard, standard)).isFalse();
    assertThat(readsPastWhatWasChosen(standard, least)).isFalse();
    assertThat(readsPastWhatWasChosen(least, standard)).isTrue();
  }

  @Test
  void setsAreCountedAsTheWrittenOutQuorumsSay() {
    SplittableRandom random = new SplittableRandom(15);
    for (int faults = 0; faults <= 1; faults++) {
      for (Written written : allOf(4, faults)) {
        if (!written.system.meets(LOCK)) {
          continue;
        }
        Thresholds thresholds = new Thresholds(LOCK, written.system);
        for (int i = 0; i < 200; i++) {
          ServerSet some = new ServerSet(random.nextLong() & random.nextLong() >>> 48);
          int fewest = written.twin.fewestIn(some.bits());
          assertThat(thresholds.isQuorum(some)).isEqualTo(written.twin.containsQuorum(some.bits()));
          assertThat(thresholds.isBlockedBy(some)).isEqualTo(fewest > 0);
          assertThat(thresholds.excludesAQuorum(some)).isEqualTo(fewest > faults);
          assertThat(thresholds.isConsent(some)).isEqualTo(thresholds.isQuorum(some));
        }
      }
    }
  }

  @Test
  void leastQuorumsAreTheSmallestThatTheNeedAllows() {
    for (Need need : Needs.all()) {
      Thresholds least = QuorumKind.LEAST.thresholds(need, 40, 3);

      assertThat(least.quorum()).isEqualTo(least.smallestQuorum());
    }
    assertThat(QuorumKind.LEAST.thresholds(Needs.LOCK_QUORUMS.need(), 64, 1).asked()).isEqualTo(34);
    assertThat(QuorumKind.LEAST.thresholds(Needs.LOCK_QUORUMS.need(), 64, 1).consents())
        .isEqualTo(QuorumKind.LEAST.thresholds(LOCK, 64, 1).consents());
  }

  @Test
  void saysWhyAKindCannotBe() {
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> QuorumKind.GRID.thresholds(LOCK, 10, 1))
        .withMessage("a grid needs a square number of servers, 10 are configured");
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> QuorumKind.GRID.thresholds(Needs.ORDER_PLAIN.need(), 16, 1))
        .withMessageContaining("needs quorums that share 3 servers and do without 2");
    assertThatExceptionOfType(QuorumConfigurationException.class)
        .isThrownBy(() -> QuorumKind.M_GRID.thresholds(Needs.LOCK_QUORUMS.need(), 64, 1))
        .withMessageContaining("b denials in a quorum");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> QuorumKind.named("circle"))
        .withMessageContaining("standard, least, grid, m-grid");
    Arrays.stream(QuorumKind.values())
        .forEach(kind -> assertThat(QuorumKind.named(kind.word())).isEqualTo(kind));
  }
}
