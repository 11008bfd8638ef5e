package io.testudo.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ThresholdsTest {
  @ParameterizedTest
  @EnumSource(
      value = Needs.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SIGMA"})
  void vouchersAreTheFewestWithACorrectOneAmongThem(Needs named) {
    Need need = named.need();
    for (int faults = 0; faults <= 2; faults++) {
      int servers = need.leastServers(faults);
      int vouchers = need.thresholds(servers, faults).vouchers();

      assertThat(NaiveThresholds.alwaysHoldACorrectServer(vouchers, servers, faults)).isTrue();
      assertThat(NaiveThresholds.alwaysHoldACorrectServer(vouchers - 1, servers, faults)).isFalse();
    }
  }

  @Test
  void oneVoucherIsEnoughWhereNobodyLies() {
    assertThat(Needs.SIGMA.need().thresholds(7, 2).vouchers()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    // need, servers, faults, asked, consents, tolerated denials, blocking
    "LOCK_ALL_SERVERS, 4, 1, 4, 3, 1, 2",
    "LOCK_ALL_SERVERS, 6, 1, 6, 4, 2, 3",
    "LOCK_QUORUMS, 6, 1, 5, 4, 1, 2",
    "LOCK_QUORUMS, 11, 2, 9, 7, 2, 3",
    "ORDER_PLAIN, 7, 1, 7, 5, 2, 3",
    "ORDER_SEALED_RANKS, 5, 1, 5, 4, 1, 2",
    "ORDER_SEALED_STATEMENTS, 4, 1, 4, 3, 1, 2",
    "SIGMA, 32, 10, 32, 22, 10, 11",
    "SIGMA_HARDENED, 7, 2, 7, 5, 2, 3",
  })
  void countsConsentsAndDenials(
      Needs named, int servers, int faults, int asked, int consents, int denials, int blocking) {
    Need need = named.need();
    Thresholds thresholds = need.thresholds(servers, faults);

    assertThat(thresholds.asked()).isEqualTo(asked);
    assertThat(thresholds.consents()).isEqualTo(consents);
    assertThat(thresholds.toleratedDenials()).isEqualTo(denials);
    assertThat(thresholds.blocking()).isEqualTo(blocking);
  }

  @ParameterizedTest
  @EnumSource(
      value = Needs.class,
      names = {"LOCK_ALL_SERVERS", "LOCK_QUORUMS", "SIGMA", "SIGMA_HARDENED"})
  void anyTwoSetsOfConsentsShareACorrectServer(Needs named) {
    Need need = named.need();
    for (int servers = need.leastServers(1); servers <= need.leastServers(1) + 3; servers++) {
      Thresholds range = need.thresholds(servers, 1);
      for (int quorum = range.smallestQuorum(); quorum <= range.largestQuorum(); quorum++) {
        int consents = need.thresholds(servers, 1, quorum).consents();

        assertThat(NaiveQuorums.threshold(servers, 1, consents).isDissemination()).isTrue();
      }
    }
  }

  @Test
  void blockingServersAreTheFewestWithoutWhichNoQuorumIsLeft() {
    for (Need need : Needs.all()) {
      int servers = need.leastServers(1) + 1;
      Thresholds thresholds = need.thresholds(servers, 1);
      NaiveQuorums twin = NaiveQuorums.threshold(servers, 1, thresholds.quorum());

      assertThat(twin.isAvailableWithout(thresholds.blocking() - 1)).isTrue();
      assertThat(twin.isAvailableWithout(thresholds.blocking())).isFalse();
      assertThat(thresholds.shared()).isEqualTo(twin.leastIntersection());
    }
  }

  @ParameterizedTest
  @CsvSource({"ORDER_PLAIN, 3", "ORDER_SEALED_RANKS, 1", "ORDER_SEALED_STATEMENTS, 1"})
  void givesUpABallotOnRefusalsThatProveAHigherRank(Needs named, int refusals) {
    Need need = named.need();
    assertThat(need.thresholds(13, 2).refusalsToGiveUp()).isEqualTo(refusals);
  }

  @ParameterizedTest
  @EnumSource(
      value = Needs.class,
      names = {"ORDER_PLAIN", "ORDER_SEALED_RANKS"})
  void settlesACommitWithTheFewestRepliesThatEveryQuorumSees(Needs named) {
    Need need = named.need();
    for (int servers = need.leastServers(1); servers <= need.leastServers(1) + 2; servers++) {
      Thresholds range = need.thresholds(servers, 1);
      for (int quorum = range.smallestQuorum(); quorum <= range.largestQuorum(); quorum++) {
        int replies = need.thresholds(servers, 1, quorum).repliesThatSettleACommit();

        assertThat(replies).isLessThanOrEqualTo(quorum);
        assertThat(NaiveThresholds.areVouchedForInEveryQuorum(replies, servers, 1, quorum))
            .isTrue();
        assertThat(NaiveThresholds.areVouchedForInEveryQuorum(replies - 1, servers, 1, quorum))
            .isFalse();
      }
    }
  }

  @Test
  void refusesToCountWhatAModeDoesNotCount() {
    Thresholds lock = Needs.LOCK_ALL_SERVERS.need().thresholds(4, 1);

    assertThatThrownBy(lock::refusalsToGiveUp)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("mode all-servers does not count refusals of a rank");
    assertThatThrownBy(lock::repliesThatSettleACommit)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("mode all-servers does not count reports of a committed state");
  }

  @Test
  void offersItsQuorumsAsASystemThatMeetsTheNeed() {
    for (Need need : Needs.all()) {
      Thresholds thresholds = need.thresholds(40, 3);
      QuorumSystem quorums = thresholds.quorums();

      assertThat(quorums.quorumSize()).isEqualTo(thresholds.quorum());
      assertThat(quorums.meets(need)).isTrue();
    }
  }

  @Test
  void readsAsASentenceOfItsNumbers() {
    assertThat(Needs.SIGMA.need().thresholds(4, 1))
        .hasToString("mode sigma: 4 servers, f=1, quorum 3");
  }

  @Test
  void soManyThatLackSomethingExcludeAQuorumThoughSomeOfThemLie() {
    for (Need need : Needs.all()) {
      for (int servers = need.leastServers(1); servers <= 12; servers++) {
        Thresholds thresholds = need.thresholds(servers, 1);
        int lacking = thresholds.lackingThatExcludeAQuorum();
        // Those who do not say so, and one that lies: too few for a quorum, and just too few.
        assertThat(servers - lacking + 1).isEqualTo(thresholds.quorum() - 1);
      }
    }
  }
}
