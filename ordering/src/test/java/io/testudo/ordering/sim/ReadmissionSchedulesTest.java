package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.MemoryEpoch;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Restore;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import io.testudo.quorum.ServerId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a server said before it lost its memory must not count after it was readmitted, however late
 * it is heard. {@link AgreementChecker} is what fails.
 */
class ReadmissionSchedulesTest {
  private static final int LOST = 0;

  private static int[] everyone(ByHand hand) {
    return IntStream.range(0, hand.thresholds.servers()).toArray();
  }

  private static void does(Client client, int... roles) {
    int before = client.receipts.size();
    client.submit();
    client.drive(roles);
    assertThat(client.receipts).hasSize(before + 1);
  }

  /** A client whose question has reached only the server that will forget it. */
  private static Client asksTheLost(ByHand hand) {
    Client client = hand.submitter();
    client.loseSubmits();
    client.giveWayToNobody();
    client.reach(Get.class, LOST);
    assertThat(client.answers).hasSize(1);
    return client;
  }

  /** The quorum of the last operation: the lost one, the liar, and those with the lowest roles. */
  private static int[] lastQuorum(ByHand hand) {
    return IntStream.concat(
            IntStream.range(0, hand.thresholds.quorum() - 1), IntStream.of(hand.liar))
        .toArray();
  }

  /** All correct ones but those that the last quorum has and that need not be heard. */
  private static int[] fewOfTheLastQuorum(ByHand hand, int known) {
    return IntStream.concat(
            IntStream.rangeClosed(1, known),
            IntStream.range(hand.thresholds.quorum() - 1, hand.liar))
        .toArray();
  }

  /**
   * Hears what the lost one said before, a server that lacks the last operation, the liar that
   * repeats what that one says, and as many others as make a quorum.
   */
  private static void wakes(ByHand hand, Client client) {
    client.hear(LOST);
    int lacks = hand.liar - 1;
    client.reach(Get.class, lacks);
    Parcel said =
        client.answers.stream().filter(it -> it.role() == lacks).findFirst().orElseThrow();
    client.hear(lacks);
    client.hear(hand.liar, said.message());
    // So few of those that have it are heard that, with the liar's word against it, it is not seen.
    int known = hand.mode == Mode.SEALED_STATEMENTS ? 0 : hand.thresholds.faults();
    for (int role : fewOfTheLastQuorum(hand, known)) {
      if (role != lacks) {
        client.ask(Get.class, role);
      }
    }
    client.fetch(lacks);
  }

  private static void readsAll(ByHand hand, int lines) {
    Client reader = hand.client();
    reader.giveWayToNobody();
    reader.read();
    for (int i = 0; i < 20 && reader.reads.isEmpty(); i++) {
      reader.drive(hand.correct());
      reader.beginAnew();
    }
    assertThat(reader.reads).hasSize(1);
    assertThat(reader.reads.get(0).lines()).hasSizeGreaterThanOrEqualTo(lines);
  }

  private static void goesOnWithoutAFork(ByHand hand, Client late) {
    wakes(hand, late);
    int known = hand.mode == Mode.SEALED_STATEMENTS ? 0 : hand.thresholds.faults();
    late.drive(
        IntStream.concat(
                IntStream.of(LOST, hand.liar), IntStream.of(fewOfTheLastQuorum(hand, known)))
            .toArray());
    late.drive(hand.correct());
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whatWasSaidBeforeALossIsVoidThoughItsRankIsTheHighest(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client warm = hand.client();
    for (int i = 0; i < 3; i++) {
      does(warm, everyone(hand));
    }
    Client late = asksTheLost(hand);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    does(warm, everyone(hand));
    assertThat(hand.server(LOST).machine().rank(OBJECT)).isNotEqualTo(Rank.NONE);
    does(warm, lastQuorum(hand));
    goesOnWithoutAFork(hand, late);
    readsAll(hand, 5);
  }

  /** No silence after a return is long enough: ranks may lie hours ahead of all clocks. */
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"SEALED_RANKS", "SEALED_STATEMENTS"})
  void aRankThatASealHasPushedAheadIsNoBetter(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client first = hand.client();
    for (int i = 0; i < 3; i++) {
      does(first, everyone(hand));
    }
    Client late = hand.submitter();
    late.loseSubmits();
    Rank own = late.last(Get.class).rank();
    Rank ahead = new Rank(own.time() + (own.time() >> 6), 77);
    for (int role : everyone(hand)) {
      late.hear(
          role,
          new Superseded(
              OBJECT, own, ahead, ByHand.SEALS.seal(OBJECT, ahead.time(), ahead.session())));
    }
    late.beginAnew();
    late.loseSubmits();
    assertThat(late.last(Get.class).rank()).isGreaterThan(ahead);
    late.giveWayToNobody();
    late.reach(Get.class, LOST);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    Client fresh = hand.client();
    does(fresh, everyone(hand));
    assertThat(hand.server(LOST).machine().rank(OBJECT)).isNotEqualTo(Rank.NONE);
    does(fresh, lastQuorum(hand));
    goesOnWithoutAFork(hand, late);
    readsAll(hand, 5);
  }

  /** Even a ballot that nobody counts can overwrite what supports a chosen state. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void nothingIsDecidedWithWhatWasSaidBeforeALoss(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client warm = hand.client();
    for (int i = 0; i < 3; i++) {
      does(warm, everyone(hand));
    }
    Client late = asksTheLost(hand);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    does(warm, everyone(hand));
    does(warm, lastQuorum(hand));
    wakes(hand, late);
    assertThat(late.hasUnderWay(Propose.class)).isFalse();
    late.hear(LOST);
    assertThat(late.requests)
        .as("it is asked again")
        .anyMatch(it -> it.role() == LOST && it.message() instanceof Get);
  }

  /** Who is brought up to date learns which others were: those who told it may lie later. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aLossIsStillKnownWhenThoseWhoNotedItLoseTheirMemory(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client warm = hand.client();
    for (int i = 0; i < 3; i++) {
      does(warm, everyone(hand));
    }
    Client late = asksTheLost(hand);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    does(warm, everyone(hand));
    for (int role = 1; role < hand.liar; role++) {
      hand.server(role).startWithoutMemory(Enrolment.RETURNING);
      does(warm, everyone(hand));
      assertThat(hand.server(role).machine().rank(OBJECT)).isNotEqualTo(Rank.NONE);
    }
    does(warm, lastQuorum(hand));
    goesOnWithoutAFork(hand, late);
    readsAll(hand, hand.liar + 4);
  }

  /** What was noted has to outlive restarts. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aLossIsStillKnownAfterRestarts(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client warm = hand.client();
    for (int i = 0; i < 3; i++) {
      does(warm, everyone(hand));
    }
    Client late = asksTheLost(hand);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    does(warm, everyone(hand));
    for (int role : everyone(hand)) {
      hand.server(role).restart();
    }
    does(warm, lastQuorum(hand));
    goesOnWithoutAFork(hand, late);
    readsAll(hand, 5);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void isNotBroughtUpToDateByWhatWasMeantForAnEarlierMemory(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client warm = hand.client();
    does(warm, everyone(hand));
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    does(warm, everyone(hand));
    Restore restore = warm.last(Restore.class);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    warm.misdirect(restore, LOST);
    assertThat(hand.server(LOST).machine().rank(OBJECT)).isEqualTo(Rank.NONE);
  }

  /** Nobody takes note of an epoch below the last one: what was said in that would not be void. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isNotBroughtUpToDateIfItsClockWentBackBetweenTwoLosses(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client first = hand.client();
    does(first, everyone(hand));
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    does(first, everyone(hand));
    assertThat(hand.server(LOST).machine().rank(OBJECT)).isNotEqualTo(Rank.NONE);

    hand.setClocks(-10_000);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    hand.setClocks(10_000);
    for (int i = 0; i < 2; i++) { // The second one finds what the first one has tried.
      Client client = hand.client();
      client.giveWayToNobody();
      does(client, everyone(hand));
      assertThat(hand.server(LOST).machine().rank(OBJECT)).isEqualTo(Rank.NONE);
    }

    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    Client last = hand.client();
    last.giveWayToNobody();
    does(last, everyone(hand));
    assertThat(hand.server(LOST).machine().rank(OBJECT)).as("later").isNotEqualTo(Rank.NONE);
  }

  /** So many must have taken note that every quorum has one of them that is correct. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isNotBroughtUpToDateBeforeAQuorumOfOthersTookNote(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client client = hand.client();
    does(client, everyone(hand));
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    client.submit();
    client.reach(Propose.class, LOST);
    client.hear(LOST); // It is absent: the others are asked to take note.
    client.requests.removeIf(it -> it.role() == 1 && it.message() instanceof Get);
    int[] quorumOfOthers = IntStream.rangeClosed(1, hand.thresholds.quorum()).toArray();
    client.drive(quorumOfOthers);
    assertThat(client.receipts).hasSize(2);
    assertThat(client.hasUnderWay(Restore.class)).isFalse();
  }

  /** A liar that tells of losses that never were costs a round trip, and no more. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void lossesThatALiarInventsAreRefutedByThoseItTellsOf(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    does(hand.client(), everyone(hand));
    Client client = hand.submitter();
    client.giveWayToNobody();
    List<MemoryEpoch> invented =
        IntStream.range(0, hand.thresholds.servers())
            .mapToObj(role -> new MemoryEpoch(new ServerId(role), Long.MAX_VALUE))
            .toList();
    Get get = client.last(Get.class);
    client.hear(
        hand.liar,
        new Report(
            OBJECT,
            get.nonce(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            MemoryEpoch.FOUNDING,
            invented));
    client.drive(hand.correct());
    assertThat(client.receipts).hasSize(1);
  }

  /** What a server accepted in a memory that is known to be gone does not count. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void acceptancesOfAnEarlierMemoryDoNotCount(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client warm = hand.client();
    does(warm, everyone(hand));
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    does(warm, everyone(hand));
    Client client = hand.submitter();
    client.giveWayToNobody();
    int[] others = IntStream.rangeClosed(1, hand.thresholds.quorum()).toArray();
    client.ask(Get.class, others);
    client.fetch(others);
    client.ask(Propose.class, Arrays.copyOf(others, others.length - 1));
    Statement said = client.last(Propose.class).proposal();
    client.hear(
        LOST,
        new Accepted(
            OBJECT, said.rank(), said.state().version(), Accepted.Stage.PROPOSED, List.of()));
    assertThat(client.receipts).isEmpty();
    assertThat(client.hasUnderWay(Commit.class)).isFalse();
  }

  /** A ballot whose client was suspended is given up, whichever clock stood still. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aBallotIsNotResumedAfterASuspension(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client client = hand.submitter();
    client.loseSubmits();
    client.reach(Get.class, hand.correct());
    hand.suspend();
    client.hear(hand.correct());
    assertThat(client.hasUnderWay(Propose.class)).isFalse();
  }
}
