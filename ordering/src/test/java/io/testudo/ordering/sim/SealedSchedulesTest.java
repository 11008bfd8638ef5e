package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static io.testudo.ordering.sim.ByHand.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.LogSnapshot;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Bodies;
import io.testudo.ordering.message.Fetch;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import io.testudo.ordering.sim.LedgerModel.Receipt;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.protocol.Suspicion;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Schedules for sealed statements: four servers, the fourth lies, quorums of three. And what holds
 * in every mode of operations, results and restarts.
 */
class SealedSchedulesTest {
  private static final int LIAR = 3;

  private static ByHand cluster(int shift) {
    return new ByHand(Mode.SEALED_STATEMENTS, shift);
  }

  private static Client asks(ByHand hand, int... roles) {
    Client client = hand.submitter();
    client.loseSubmits();
    client.ask(Get.class, roles);
    client.fetch(hand.correct());
    return client;
  }

  /** A client whose first operation is done everywhere, and which is warm. */
  private static Client warm(ByHand hand) {
    Client client = hand.submitter();
    client.drive(hand.correct());
    assertThat(client.receipts).hasSize(1);
    return client;
  }

  private static void finishes(ByHand hand, Client client) {
    client.drive(hand.correct());
    assertThat(client.receipts).isNotEmpty();
    Client reader = hand.client();
    reader.read();
    reader.drive(hand.correct());
    assertThat(reader.reads).hasSize(1);
  }

  /**
   * With the old rank the second run's state would be (r, 1) at servers 1 and 2, and the first
   * run's proposal, (r, 2), would take its place when it comes at last.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aBallotThatWasGivenUpLeavesNothingThatOvertakesTheNext(int shift) {
    ByHand hand = cluster(shift);
    Client zeroth = asks(hand, 0, 1, 2);
    zeroth.reach(Propose.class, 0); // S, at one server.

    Client first = hand.submitter();
    first.loseSubmits();
    first.ask(Get.class, 0, 1);
    first.fetch(0);
    first.hear(LIAR, ByHand.knowsNothing(first.last(Get.class)));
    first.fetch(0);
    Propose late = first.last(Propose.class);
    assertThat(late.proposal().state().version()).isEqualTo(2); // It extends S.

    first.beginAnew();
    first.askWithLiar(Get.class, 1, 2);
    first.askWithLiar(Propose.class, 1, 2);
    assertThat(first.receipts).hasSize(1);
    first.misdirect(late, 1, 2);

    finishes(hand, asks(hand, 0, 1, 2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void whoWasOvertakenAsksBeforeItProposesAgain(int shift) {
    ByHand hand = cluster(shift);
    Client first = warm(hand);
    finishes(hand, asks(hand, 0, 1, 2));
    first.submit();
    first.ask(Propose.class, 0, 1, 2); // Refused.
    first.beginAnew();
    first.drive(hand.correct());
    assertThat(first.receipts).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aBallotThatWasRefusedSomewhereEndsWhoeverIsSilent(int shift) {
    ByHand hand = cluster(shift);
    Client first = warm(hand);
    Client second = asks(hand, 2); // From now on 2 refuses the first.
    first.requests.clear();
    first.submit();
    first.ask(Propose.class, 0, 1);
    assertThat(first.hasUnderWay(Get.class)).isFalse();
    Accepted late =
        new Accepted(
            OBJECT,
            first.last(Propose.class).proposal().rank(),
            2,
            Accepted.Stage.PROPOSED,
            List.of());
    first.ask(Propose.class, 2);
    first.hear(LIAR, late);
    assertThat(first.receipts).hasSize(1);
    assertThat(first.hasUnderWay(Get.class)).isTrue();
    first.drive(hand.correct());
    assertThat(first.receipts).hasSize(2);
    second.loseAll();
    second.beginAnew();
    second.drive(hand.correct());
    assertThat(second.receipts).hasSize(1);
  }

  @Test
  void aProposalThatWasNotChosenCannotBeShownAsACommit() {
    ByHand hand = cluster(0);
    Client first = warm(hand);
    first.submit();
    Statement proposal = first.last(Propose.class).proposal();
    List<Entry> entries = first.last(Propose.class).entries();

    Client reader = hand.client();
    reader.read();
    reader.ask(Get.class, 0, 1);
    Get get = reader.last(Get.class);
    reader.hear(
        LIAR,
        report(get, Optional.of(proposal), Optional.of(proposal), entries.toArray(Entry[]::new)));
    assertThat(reader.told).hasSize(1).first().isInstanceOf(Suspicion.class);
    assertThat(reader.reads).isEmpty();
    reader.ask(Get.class, 2);
    reader.fetch(0, 1, 2);
    assertThat(reader.reads).singleElement().satisfies(read -> assertThat(read.lines()).hasSize(1));
  }

  @Test
  void aStatementThatNobodySealedDoesNotCount() {
    ByHand hand = cluster(0);
    warm(hand);
    Client second = hand.submitter();
    second.loseSubmits();
    second.ask(Get.class, 0, 1);
    Get get = second.last(Get.class);
    Entry one = new Entry(1, StateId.genesis(OBJECT).link(), LedgerModel.longs(13));
    Entry two = new Entry(2, one.state().link(), LedgerModel.longs(14));
    Statement forged = new Statement(get.rank(), two.state(), get.seal());
    second.hear(LIAR, report(get, Optional.of(forged), Optional.empty(), one, two));
    assertThat(second.told).hasSize(1).first().isInstanceOf(Suspicion.class);
    finishes(hand, second);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void anOperationThatOnlyTheLiarKnowsIsNeverDone(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client client = hand.submitter();
    client.loseSubmits();
    SubmittedOperation ghost =
        new SubmittedOperation(new OpId(99, 1), 0, LedgerModel.longs(666), Optional.empty());
    Get get = client.last(Get.class);
    client.hear(
        hand.liar,
        new Report(
            OBJECT, get.nonce(), Optional.empty(), Optional.empty(), List.of(ghost), List.of()));
    finishes(hand, client);
    assertThat(client.receipts.get(0).place()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void anOperationThatAnotherOrderedHasOneResultWhoeverIsAsked(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client first = hand.client();
    first.submit();
    // Whoever gives up a run lets others do what it wants done.
    first.giveUp();
    Submit submit = first.last(Submit.class);
    first.misdirect(submit, hand.correct());
    first.loseAll();
    finishes(hand, hand.submitter());
    List<Parcel> unheard = List.copyOf(first.answers);
    first.submit(); // What comes of it must not change what came of the other.
    first.giveUp();
    first.misdirect(first.last(Submit.class), hand.correct());
    finishes(hand, hand.submitter());

    // The first client learns of its operation by ordering; servers say the same on every retry.
    first.beginAnew();
    first.answers.clear();
    first.requests.removeIf(sent -> sent.message() instanceof Submit);
    first.drive(hand.correct());
    Receipt receipt = first.receipts.get(0);
    first.misdirect(submit, hand.correct());
    assertThat(first.answers).hasSize(hand.correct().length);
    for (Parcel answer : List.of(unheard.get(0), first.answers.get(0), first.answers.get(1))) {
      Bytes result =
          answer.message() instanceof Included included
              ? included.result()
              : ((Answered) answer.message()).result().orElseThrow();
      assertThat(Receipt.decode(result)).isEqualTo(receipt);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void theOperationsOfASessionAreDoneInTheirOrder(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client first = hand.client();
    first.submit();
    first.giveUp();
    Submit one = first.last(Submit.class);
    first.submit();
    Submit two = first.last(Submit.class);
    assertThat(two.operation().id().sequence()).isEqualTo(one.operation().id().sequence() + 1);
    first.misdirect(two, hand.correct());
    first.loseAll();
    Client second = hand.submitter();
    second.drive(hand.correct());
    assertThat(second.receipts.get(0).place()).isEqualTo(1);
    assertThat(first.answers).isEmpty();
    first.misdirect(one, hand.correct());
    finishes(hand, hand.submitter());
    assertThat(first.answers).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void serversKeepTheirWordAcrossRestarts(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    int[] quorum = firstRoles(hand);
    Client first = asks(hand, quorum);
    Client second = asks(hand, quorum);
    restartAll(hand);
    first.ask(Propose.class, quorum); // Refused: the rank was kept.
    second.ask(Propose.class, quorum); // Complete.
    restartAll(hand);
    finishes(hand, asks(hand, hand.correct()));
  }

  private static int[] firstRoles(ByHand hand) {
    int[] roles = new int[hand.thresholds.quorum()];
    for (int i = 0; i < roles.length; i++) {
      roles[i] = i;
    }
    return roles;
  }

  private static void restartAll(ByHand hand) {
    for (int role : hand.correct()) {
      hand.server(role).restart();
    }
  }

  @Test
  void aSnapshotCountsOnlyIfTheEntryAfterItNamesIt() {
    ByHand hand = cluster(0);
    Client first = warm(hand);
    for (int i = 0; i < 6; i++) {
      first.submit();
      first.drive(hand.correct());
    }
    Client second = hand.submitter();
    second.loseSubmits();
    second.reach(Get.class, 0, 1, 2);
    second.hear(0, 1, 2);
    assertThat(second.hasUnderWay(Fetch.class)).isTrue();
    // The liar hands out the true entries, with a snapshot that it changed.
    int asked =
        second.requests.stream().filter(p -> p.message() instanceof Fetch).findFirst().get().role();
    second.reach(Fetch.class, asked);
    Bodies honest =
        second.answers.stream()
            .map(Parcel::message)
            .filter(Bodies.class::isInstance)
            .map(Bodies.class::cast)
            .findFirst()
            .orElseThrow();
    second.answers.clear();
    LogSnapshot snapshot = honest.snapshot().orElseThrow();
    LogSnapshot changed = new LogSnapshot(snapshot.commit(), Bytes.EMPTY);
    second.hear(
        LIAR, new Bodies(OBJECT, honest.wanted(), true, Optional.of(changed), honest.entries()));
    assertThat(second.hasUnderWay(Propose.class)).isFalse();
    second.misdirect(new Fetch(OBJECT, StateId.genesis(OBJECT), honest.wanted()), asked);
    second.hear(asked);
    finishes(hand, second);
    assertThat(second.receipts.get(0).place()).isEqualTo(8);
  }

  @Test
  void whoReadsWhileItOrdersBelievesOnlyAnswersToThatQuestion() {
    ByHand hand = cluster(0);
    Client first = asks(hand, 0, 1, 2);
    first.reach(Propose.class, 0, 1, 2);
    List<Parcel> old = List.copyOf(first.answers); // They come twice.
    first.hear(0, 1, 2);
    assertThat(first.receipts).hasSize(1);
    first.loseAll();
    finishes(hand, asks(hand, 0, 1, 2)); // Somebody else goes on.
    first.read();
    for (Parcel answer : old) {
      first.hear(answer.role(), answer.message());
    }
    assertThat(first.reads).isEmpty();
    first.beginAnew();
    first.drive(hand.correct());
    assertThat(first.reads).singleElement().satisfies(read -> assertThat(read.lines()).hasSize(2));
  }

  @Test
  void whoCannotGoOnFromOldAnswersAsksAgain() {
    ByHand hand = cluster(0);
    Client first = hand.client();
    first.submit();
    first.giveUp();
    first.misdirect(first.last(Submit.class), 0, 1, 2);
    first.beginAnew();
    first.ask(Get.class, 0, 1); // Old answers, of a run that waits for a third.
    first.submit(); // It comes after the first, whose result is not here.
    finishes(hand, hand.submitter()); // Somebody else does the first operation.
    first.hear(0, 1, 2); // The results.
    assertThat(first.receipts).hasSize(1);
    first.hear(LIAR, ByHand.knowsNothing(first.last(Get.class)));
    first.beginAnew();
    first.drive(hand.correct());
    assertThat(first.receipts).hasSize(2);
  }
}
