package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static io.testudo.ordering.sim.ByHand.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Entry;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Schedules under which a slightly different choice rule, or a slightly different server, would let
 * two quorums accept different things. Sealed ranks: five servers, the fifth lies, quorums of four,
 * believed is what two say. Each schedule is played with the roles given to the servers in every
 * rotation. {@link AgreementChecker} is what fails.
 */
class ForkingSchedulesTest {
  private static final int LIAR = 4;

  private static ByHand cluster(int shift) {
    return new ByHand(Mode.SEALED_RANKS, shift);
  }

  /** X: the first state, at servers 0 to 2; the liar says that it has it, too. */
  private static Client proposesFirst(ByHand hand) {
    Client client = hand.submitter();
    client.loseSubmits();
    client.askWithLiar(Get.class, 0, 1, 2);
    client.askWithLiar(Propose.class, 0, 1, 2);
    return client;
  }

  private static Client commitsFirst(ByHand hand) {
    Client client = proposesFirst(hand);
    client.askWithLiar(Commit.class, 0, 1, 2);
    assertThat(client.receipts).hasSize(1);
    return client;
  }

  /** A new client, and what these servers report to it. */
  private static Client asks(ByHand hand, int... roles) {
    Client client = hand.submitter();
    client.loseSubmits();
    client.ask(Get.class, roles);
    client.fetch(hand.correct());
    return client;
  }

  /** The liar repeats what another server reports. */
  private static void echo(Client client, int of) {
    client.reach(Get.class, of);
    Parcel said =
        client.answers.stream().filter(answer -> answer.role() == of).findFirst().orElseThrow();
    client.hear(of);
    client.hear(LIAR, said.message());
    client.fetch(0, 1, 2, 3);
  }

  /** It gets on with all correct servers: whatever it chose is complete then, and checked. */
  private static void finishes(ByHand hand, Client client) {
    client.drive(hand.correct());
    assertThat(client.receipts).isNotEmpty();
    Client reader = hand.client();
    reader.read();
    reader.drive(hand.correct());
    assertThat(reader.reads).hasSize(1);
  }

  private static Statement statement(Rank rank, StateId state) {
    return new Statement(rank, state, Optional.empty());
  }

  private static Entry invented(StateId parent) {
    return new Entry(parent.version() + 1, parent.link(), LedgerModel.longs(13));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aStateIsCountedAcrossRanks(int shift) {
    ByHand hand = cluster(shift);
    proposesFirst(hand);
    Client second = asks(hand, 0, 1, 2, 3);
    second.reach(Propose.class, 0);
    Client third = asks(hand, 0, 1, 2, 3);
    third.reach(Propose.class, 1);
    // One state at three servers, by three ranks.
    finishes(hand, asks(hand, 0, 1, 2, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aHigherRankCountsBeforeAnEqualVersion(int shift) {
    ByHand hand = cluster(shift);
    Client first = commitsFirst(hand);
    first.submit();
    first.reach(Propose.class, 0); // A second version, at one server.

    Client second = asks(hand, 1, 2);
    echo(second, 3);
    second.askWithLiar(Propose.class, 1, 2, 3); // The first version, once more.
    second.askWithLiar(Commit.class, 1, 2, 3);
    second.askWithLiar(Propose.class, 1, 2, 3); // Another second version.

    Client third = asks(hand, 1, 2);
    echo(third, 0);
    finishes(hand, third);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aHigherVersionCountsBeforeALowerOneOfTheSameRank(int shift) {
    ByHand hand = cluster(shift);
    Client first = proposesFirst(hand);
    first.reach(Propose.class, 3);
    first.submit();
    first.askWithLiar(Commit.class, 0, 1, 2);
    first.askWithLiar(Propose.class, 0, 1, 2); // The second version is complete.

    Client second = asks(hand, 0, 1);
    echo(second, 3);
    finishes(hand, second);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aCommitCountsBeforeAProposal(int shift) {
    ByHand hand = cluster(shift);
    Client zeroth = asks(hand, 0, 1, 2, 3);
    zeroth.reach(Propose.class, 3); // Z, at one server.
    Client first = commitsFirst(hand);
    first.submit();
    first.reach(Propose.class, 0); // X2, at one server; X at the others; all with X committed.

    Client second = asks(hand, 0, 1);
    echo(second, 3);
    finishes(hand, second);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aProposalCountsIfItIsBeyondWhatIsCompleted(int shift) {
    ByHand hand = cluster(shift);
    Client first = commitsFirst(hand);
    first.submit();
    first.askWithLiar(Propose.class, 0, 1, 2); // Complete, and committed nowhere.
    finishes(hand, asks(hand, 0, 1, 2, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aProposalThatWasNeverCommittedIsCompleted(int shift) {
    ByHand hand = cluster(shift);
    proposesFirst(hand);
    finishes(hand, asks(hand, 0, 1, 2, 3));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void oneServerCannotSayHowFarTheOthersAre(int shift) {
    ByHand hand = cluster(shift);
    Client first = commitsFirst(hand);
    Propose proposed = first.last(Propose.class);
    Client second = asks(hand, 0, 1, 2);
    StateId wild = new StateId(9, proposed.proposal().state().link());
    Statement lie = statement(proposed.proposal().rank(), wild);
    second.hear(LIAR, report(second.last(Get.class), Optional.of(lie), Optional.empty()));
    second.fetch(hand.correct());
    assertThat(second.hasUnderWay(Propose.class)).isTrue();
    finishes(hand, second);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aProposalIsCommittedBeforeItIsExtended(int shift) {
    ByHand hand = cluster(shift);
    Client first = hand.submitter();
    first.loseSubmits();
    first.ask(Get.class, 0, 1, 2, 3);
    first.reach(Propose.class, 0, 1);

    Client second = asks(hand, 0, 1, 2, 3); // Takes X up, but reaches one server only.
    second.reach(Propose.class, 0);

    Client third = asks(hand, 1, 2, 3);
    third.hear(LIAR, ByHand.knowsNothing(third.last(Get.class)));
    third.askWithLiar(Propose.class, 1, 2, 3); // Sees X once only: Z, complete.

    Client fourth = asks(hand, 0, 1, 2);
    StateId second2 = new StateId(2, StateId.genesis(OBJECT).link());
    Statement lie = statement(third.last(Propose.class).proposal().rank(), second2);
    fourth.hear(LIAR, report(fourth.last(Get.class), Optional.of(lie), Optional.empty()));
    fourth.fetch(hand.correct());
    assertThat(fourth.hasUnderWay(Propose.class)).isTrue();
    finishes(hand, fourth);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void whatOneServerSaysWasCommittedIsNotBelieved(int shift) {
    believesNoInvention(cluster(shift), false, true);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void whatOneServerSaysWasProposedIsNotBelieved(int shift) {
    believesNoInvention(cluster(shift), true, false);
  }

  private static void believesNoInvention(ByHand hand, boolean proposed, boolean committed) {
    Client first = commitsFirst(hand);
    first.submit();
    first.askWithLiar(Propose.class, 0, 1, 2);
    Client second = asks(hand, 0, 1, 2);
    Get get = second.last(Get.class);
    Entry one = invented(StateId.genesis(OBJECT));
    Entry two = invented(one.state());
    Entry three = invented(two.state());
    Optional<Statement> lie = Optional.of(statement(get.rank(), three.state()));
    Report said =
        report(
            get,
            proposed ? lie : Optional.empty(),
            committed ? lie : Optional.empty(),
            one,
            two,
            three);
    second.hear(LIAR, said);
    finishes(hand, second);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aServerThatReportedToARankAcceptsNothingBelowIt(int shift) {
    ByHand hand = cluster(shift);
    Client first = asks(hand, 0, 1, 2, 3);
    Client second = asks(hand, 0, 1, 2, 3);
    first.askWithLiar(Propose.class, 0, 1, 2);
    finishes(hand, second);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aLateProposalTakesNoNewerOnesPlace(int shift) {
    ByHand hand = cluster(shift);
    Client first = commitsFirst(hand);
    Propose old = first.last(Propose.class);
    first.submit();
    first.askWithLiar(Propose.class, 0, 1, 2);
    first.misdirect(old, 0, 1, 2);
    finishes(hand, asks(hand, 0, 1, 2, 3));
  }

  /**
   * Without the check of its rank the commit is complete, though the second client has looked at
   * server 0 before it came; so the first goes on to version 2, at server 1. The second client sees
   * version 1 at 0, version 2 at 1, and nothing elsewhere.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aCommitThatWasOvertakenDoesNotCount(int shift) {
    ByHand hand = cluster(shift);
    Client first = proposesFirst(hand);
    first.submit();
    Client second = asks(hand, 0);
    first.askWithLiar(Commit.class, 0, 1, 2);
    reachWithVersion(first, 2, 1);
    second.giveWayToNobody();
    second.ask(Get.class, 1, 3);
    second.hear(LIAR, ByHand.knowsNothing(second.last(Get.class)));
    second.fetch(hand.correct());
    finishes(hand, second);
  }

  /** Delivers the proposal of a version, if there is one. */
  private static void reachWithVersion(Client client, long version, int role) {
    client.requests.removeIf(
        sent ->
            sent.message() instanceof Propose propose
                && propose.proposal().state().version() < version);
    if (client.hasUnderWay(Propose.class)) {
      client.reach(Propose.class, role);
    }
  }
}
