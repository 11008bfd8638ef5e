package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static io.testudo.ordering.sim.ByHand.knowsNothing;
import static io.testudo.ordering.sim.ByHand.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Restore;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import io.testudo.quorum.Right;
import io.testudo.quorum.Thresholds;
import io.testudo.quorum.cluster.NoRight;
import io.testudo.quorum.protocol.Message;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What reads without a run are told while what an orderer left behind may have been chosen or not.
 * The checker of the ledger throws if a read lacks what was answered, or read, before it began.
 */
class ReadersWithoutOrderingTest {
  /** As many as it takes to find that nobody is at work, if that can be found. */
  private static final int ATTEMPTS = 8;

  private static int[] everyone(ByHand hand) {
    return IntStream.range(0, hand.thresholds.servers()).toArray();
  }

  private static boolean isRanked(Message message) {
    return message instanceof Get get && !get.rank().equals(Rank.NONE);
  }

  /** Whether a reader that is not let order is answered when these servers are heard. */
  private static boolean reads(Client reader, int... roles) {
    int before = reader.reads.size();
    reader.read();
    for (int i = 0; i < 3 * ATTEMPTS && reader.reads.size() == before; i++) {
      List<Parcel> sent = List.copyOf(reader.requests);
      reader.requests.clear();
      for (int role : roles) { // Those that the proposal has reached are always the first.
        for (Parcel one : sent) {
          if (one.role() == role && isRanked(one.message())) {
            reader.hear(role, new NoRight(Right.ORDER, OBJECT));
          } else if (one.role() == role) {
            reader.delivered.add(one);
            reader.misdirect(one.message(), role);
            reader.hear(role);
          }
        }
      }
      if (reader.requests.isEmpty()) {
        reader.passTime();
      }
    }
    return reader.reads.size() > before;
  }

  private static void doesOne(ByHand hand) {
    Client client = hand.submitter();
    client.giveWayToNobody();
    client.drive(everyone(hand));
    client.passTime();
    client.drive(everyone(hand));
    assertThat(client.receipts).hasSize(1);
  }

  /** Its proposal reaches so many servers, and it is heard of no more. */
  private static void diesProposingTo(ByHand hand, int servers) {
    Client client = hand.submitter();
    client.loseSubmits();
    client.giveWayToNobody();
    client.ask(Get.class, hand.correct());
    client.fetch(hand.correct());
    if (hand.mode != Mode.SEALED_STATEMENTS) { // It completes what was there before.
      client.ask(Propose.class, everyone(hand));
      client.ask(Commit.class, everyone(hand));
    }
    client.reach(Propose.class, IntStream.range(0, servers).toArray());
  }

  /** So many servers that have nothing newer show what was chosen, though one of them may lie. */
  private static int thatShowIt(Thresholds thresholds) {
    return thresholds.servers() - thresholds.quorum() + thresholds.faults() + 1;
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN,1",
    "PLAIN,2",
    "PLAIN,3",
    "PLAIN,4",
    "SEALED_RANKS,1",
    "SEALED_RANKS,2",
    "SEALED_RANKS,3",
    "SEALED_STATEMENTS,1",
    "SEALED_STATEMENTS,2"
  })
  void readsOnAfterAnOrdererDiedIfEnoughServersHaveNothingOfIt(Mode mode, int reached) {
    ByHand hand = new ByHand(mode, 0);
    doesOne(hand);
    diesProposingTo(hand, reached);
    Client reader = hand.reader();
    int[] all = everyone(hand);
    int[] allButOne = IntStream.of(all).filter(role -> role != reached).toArray();
    int needed = reached + thatShowIt(hand.thresholds);

    assertThat(reads(reader, allButOne)).isEqualTo(needed <= allButOne.length);
    Client other = hand.reader();
    assertThat(reads(other, all)).isEqualTo(needed <= all.length);
    other.reads.forEach(read -> assertThat(read.lines()).hasSize(1));
    assertThat(
            other.delivered.stream()
                .filter(sent -> sent.role() == 0 && sent.message() instanceof Get)
                .count())
        .as("attempts")
        .isLessThanOrEqualTo(needed <= all.length ? ATTEMPTS : Integer.MAX_VALUE);

    doesOne(hand);
    assertThat(reads(hand.reader(), all)).as("after somebody has ordered").isTrue();
  }

  /** Acknowledged by a quorum of which one lies, and hides it from the reader. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void neverGoesBackBehindWhatWasAcknowledgedThoughALiarHidesIt(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client writer = hand.submitter();
    int[] acceptors = IntStream.range(0, hand.thresholds.quorum() - 1).toArray();
    writer.ask(Get.class, hand.correct());
    writer.askWithLiar(Propose.class, acceptors);
    if (mode != Mode.SEALED_STATEMENTS) {
      writer.askWithLiar(Commit.class, acceptors);
    }
    assertThat(writer.receipts).hasSize(1);
    for (Client reader : List.of(hand.client(), hand.reader())) {
      reader.read();
      reader.hear(hand.liar, knowsNothing(reader.last(Get.class)));
      for (int role = hand.liar - 1; role >= 0; role--) {
        reader.ask(Get.class, role);
      }
      reader.fetch(hand.correct());
      reader.reads.forEach(read -> assertThat(read.lines()).hasSize(1));
    }
  }

  /** One state at two ranks: neither proposal has many servers, but the state was chosen. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void neverGoesBackBehindWhatWasReadThoughItIsProposedAnew(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    int quorum = hand.thresholds.quorum();
    int committed = quorum - 2;
    Client writer = hand.submitter();
    writer.ask(Get.class, hand.correct());
    writer.askWithLiar(Propose.class, IntStream.range(0, quorum - 1).toArray());
    writer.passTime(); // Then it publishes what it does not publish at once.
    writer.reach(Commit.class, committed);

    Client first = hand.reader();
    first.read();
    first.ask(Get.class, committed);
    Statement commit = hand.server(committed).machine().committed(OBJECT).orElseThrow();
    Statement proposal = hand.server(committed).machine().proposed(OBJECT).orElseThrow();
    first.hear(
        hand.liar, report(first.last(Get.class), Optional.of(proposal), Optional.of(commit)));
    first.ask(Get.class, IntStream.range(0, committed).toArray());
    first.fetch(committed);
    assertThat(first.reads).hasSize(1);

    int again = committed - 1;
    Client orderer = hand.submitter();
    orderer.loseSubmits();
    orderer.giveWayToNobody();
    orderer.ask(Get.class, hand.correct());
    orderer.fetch(hand.correct());
    orderer.reach(Propose.class, again);

    Client second = hand.client();
    second.read();
    second.hear(hand.liar, knowsNothing(second.last(Get.class)));
    second.ask(Get.class, IntStream.range(quorum - 1, hand.liar).toArray());
    // As many that have it as leave room for nothing but doubt.
    int few = mode == Mode.SEALED_STATEMENTS ? 1 : 2;
    second.ask(Get.class, IntStream.rangeClosed(committed - few, again).toArray());
    assertThat(second.reads).isEmpty();
  }

  /** It was proposed at a rank that a later one has overtaken, and cannot be chosen any more. */
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"PLAIN", "SEALED_STATEMENTS"})
  void aProposalBelowTheRankOfTheCommitHindersNobody(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    doesOne(hand);
    int stale = hand.thresholds.servers() - hand.thresholds.quorum();
    diesProposingTo(hand, stale);
    // Somebody orders without those that have it, and has nothing to add.
    Client orderer = hand.client();
    int[] others = IntStream.range(stale, hand.thresholds.servers()).toArray();
    orderer.giveWayToNobody();
    orderer.read();
    do {
      orderer.beginAnew();
    } while (orderer.last(Get.class).rank().equals(Rank.NONE));
    orderer.drive(others);
    orderer.passTime();
    orderer.drive(others);

    Client reader = hand.client();
    reader.read();
    reader.ask(Get.class, IntStream.range(0, hand.thresholds.quorum()).toArray());
    reader.fetch(others);
    assertThat(reader.reads).hasSize(1);
    assertThat(reader.reads.get(0).lines()).hasSize(1);
  }

  /** It takes part again, but what it is brought up to date with is still under way. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aServerThatForgotWhatWasChosenSaysNothingToReadersBeforeItHasIt(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    int quorum = hand.thresholds.quorum();
    int lost = 0;
    Client writer = hand.submitter();
    int[] acceptors =
        IntStream.concat(IntStream.range(0, quorum - 1), IntStream.of(hand.liar)).toArray();
    writer.drive(acceptors);
    assertThat(writer.receipts).hasSize(1);
    writer.loseAll();

    Client reader = hand.client();
    reader.read();
    reader.ask(Get.class, IntStream.range(quorum - 1, hand.liar).toArray());

    hand.server(lost).startWithoutMemory(Enrolment.RETURNING);
    writer.submit();
    writer.reach(Propose.class, lost);
    writer.hear(lost);
    writer.drive(IntStream.range(1, hand.thresholds.servers()).toArray());
    writer.reach(Restore.class, lost);
    assertThat(hand.server(lost).machine().rank(OBJECT)).isNotEqualTo(Rank.NONE);
    assertThat(hand.server(lost).machine().proposed(OBJECT)).isEmpty();

    reader.reach(Get.class, lost);
    reader.hear(lost);
    reader.hear(hand.liar, knowsNothing(reader.last(Get.class)));
    if (mode != Mode.SEALED_STATEMENTS) {
      reader.ask(Get.class, 1);
    }
    assertThat(reader.reads).isEmpty();
  }
}
