package io.testudo.ordering.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.quorum.Thresholds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The choice rule on hand-made reports; n = 5, b = 1, quorum 4 unless it says otherwise. */
class ChoiceTest {
  private static final Thresholds RANKS = Mode.SEALED_RANKS.need().thresholds(5, 1);
  private static final Thresholds STATEMENTS = Mode.SEALED_STATEMENTS.need().thresholds(4, 1);
  private static final Choice.Told NOTHING = new Choice.Told(Optional.empty(), Optional.empty());

  private static StateId state(long version, String branch) {
    return new StateId(version, Digest.of((branch + version).getBytes(StandardCharsets.UTF_8)));
  }

  private static Statement at(long rank, StateId state) {
    return new Statement(new Rank(rank, 1), state, Optional.empty());
  }

  private static Choice.Told told(Statement proposed, Statement committed) {
    return new Choice.Told(Optional.of(proposed), Optional.of(committed));
  }

  private static Choice.Told proposes(Statement proposed) {
    return new Choice.Told(Optional.of(proposed), Optional.empty());
  }

  private static Optional<Choice> ranks(Choice.Told... told) {
    return Choice.of(Mode.SEALED_RANKS, RANKS, List.of(told));
  }

  @Test
  void beginsAtTheInitialStateIfNobodyKnowsMore() {
    assertThat(ranks(NOTHING, NOTHING, NOTHING, NOTHING))
        .contains(new Choice(Optional.empty(), false));
  }

  @Test
  void goesOnFromWhatIsCommittedAtEnoughServers() {
    Choice.Told one = told(at(1, state(1, "a")), at(1, state(1, "a")));
    assertThat(ranks(one, one, one, NOTHING))
        .contains(new Choice(Optional.of(state(1, "a")), true));
  }

  @Test
  void completesAProposalThatMayHaveBeenChosen() {
    Choice.Told committedOne = told(at(1, state(1, "a")), at(1, state(1, "a")));
    Choice.Told proposedTwo = told(at(1, state(2, "a")), at(1, state(1, "a")));
    assertThat(ranks(committedOne, committedOne, proposedTwo, proposedTwo))
        .contains(new Choice(Optional.of(state(2, "a")), true));
  }

  @Test
  void believesNoProposalOfASingleServer() {
    Choice.Told honest = told(at(1, state(1, "a")), at(1, state(1, "a")));
    Choice.Told liar = told(at(9, state(7, "x")), at(9, state(7, "x")));
    assertThat(ranks(honest, honest, honest, liar))
        .contains(new Choice(Optional.of(state(1, "a")), true));
  }

  @Test
  void countsEqualStatesAcrossRanks() {
    // The same state, proposed at rank 1 and again at rank 2 by one who recovered it.
    Choice.Told older = proposes(at(1, state(1, "a")));
    Choice.Told newer = proposes(at(2, state(1, "a")));
    Choice.Told other = proposes(at(3, state(1, "b")));
    assertThat(ranks(older, newer, other, NOTHING))
        .contains(new Choice(Optional.of(state(1, "a")), true));
  }

  @Test
  void prefersTheHigherRankToTheHigherVersion() {
    Choice.Told low = proposes(at(1, state(1, "a")));
    Choice.Told high = proposes(at(2, state(1, "b")));
    assertThat(ranks(low, high, high, low)).contains(new Choice(Optional.of(state(1, "b")), true));
  }

  @Test
  void takesTheCommitBeforeTheProposalIfItIsAheadOfWhatIsCompleted() {
    // Version 2 is committed at b+1; a proposal of version 2 at a higher rank has b+1, too.
    Choice.Told committed = told(at(1, state(2, "a")), at(1, state(2, "a")));
    Choice.Told proposed = proposes(at(3, state(2, "b")));
    assertThat(ranks(committed, committed, proposed, proposed))
        .contains(new Choice(Optional.of(state(2, "a")), true));
  }

  @Test
  void raisesAnAlarmIfWhatMustBeCommittedIsNot() {
    Choice.Told one = proposes(at(1, state(5, "a")));
    Choice.Told other = proposes(at(1, state(5, "b")));
    Choice.Told third = proposes(at(1, state(5, "c")));
    assertThat(ranks(one, other, third, NOTHING)).isEmpty();
  }

  @Test
  void takesTheNewestOfSealedProposalsAndCommits() {
    Choice.Told old = proposes(at(1, state(4, "a")));
    Choice.Told newest = proposes(at(2, state(3, "b")));
    Choice.Told commit = new Choice.Told(Optional.empty(), Optional.of(at(2, state(2, "b"))));
    assertThat(Choice.of(Mode.SEALED_STATEMENTS, STATEMENTS, List.of(old, newest, commit)))
        .contains(new Choice(Optional.of(state(3, "b")), false));
  }

  @Test
  void readsTheCommitIfNoProposalIsNewer() {
    Choice.Told one = told(at(1, state(2, "a")), at(1, state(2, "a")));
    Choice.Told behind = told(at(1, state(2, "a")), at(1, state(1, "a")));
    assertThat(
            Choice.settled(Mode.SEALED_STATEMENTS, STATEMENTS, "o", List.of(one, behind, behind)))
        .contains(state(2, "a"));
  }

  @Test
  void readsWhatAWholeQuorumHasThoughItIsNotPublished() {
    Choice.Told same = told(at(1, state(3, "a")), at(1, state(2, "a")));
    assertThat(Choice.settled(Mode.SEALED_STATEMENTS, STATEMENTS, "o", List.of(same, same, same)))
        .contains(state(3, "a"));
  }

  @Test
  void readsNothingWhileAProposalMayBeChosenOrNot() {
    Choice.Told ahead = told(at(1, state(3, "a")), at(1, state(2, "a")));
    Choice.Told behind = told(at(1, state(2, "a")), at(1, state(2, "a")));
    assertThat(
            Choice.settled(Mode.SEALED_STATEMENTS, STATEMENTS, "o", List.of(ahead, behind, behind)))
        .isEmpty();
  }

  @Test
  void readsThePlainCommitUnlessEnoughReportANewerProposal() {
    Choice.Told committed = told(at(1, state(2, "a")), at(1, state(2, "a")));
    Choice.Told ahead = told(at(1, state(3, "a")), at(1, state(2, "a")));
    assertThat(
            Choice.settled(
                Mode.SEALED_RANKS, RANKS, "o", List.of(committed, committed, committed, ahead)))
        .contains(state(2, "a"));
    assertThat(
            Choice.settled(
                Mode.SEALED_RANKS, RANKS, "o", List.of(committed, committed, ahead, ahead)))
        .isEmpty();
  }

  @Test
  void aLiarsRankOfACommitDoesNotHideWhatIsNewer() {
    Choice.Told ahead = told(at(2, state(3, "a")), at(2, state(2, "a")));
    Choice.Told liar = told(at(9, state(2, "a")), at(9, state(2, "a")));
    Choice.Told behind = told(at(1, state(2, "a")), at(1, state(2, "a")));
    assertThat(Choice.settled(Mode.SEALED_RANKS, RANKS, "o", List.of(ahead, ahead, behind, liar)))
        .isEmpty();
  }
}
