package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Absent;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Included;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Relayed;
import io.testudo.ordering.message.Restore;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.sim.ByHand.Client;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server accepts a proposal, says so, and loses its memory while the ballot goes on. It must not
 * take part again at that rank before others have what it said that it has accepted: the orderer
 * counts its word, and so do followers.
 */
class LossBesideProposalsTest {
  private static final int LOST = 0;

  private static void does(Client client, int... roles) {
    int before = client.receipts.size();
    client.submit();
    client.drive(roles);
    assertThat(client.receipts).hasSize(before + 1);
  }

  /** Others first, so that what was chosen was chosen without the one that will be lost. */
  private static Client warm(ByHand hand) {
    Client client = hand.client();
    int[] others = IntStream.rangeClosed(1, hand.liar).toArray();
    does(client, others);
    does(client, others);
    client.drive(LOST);
    return client;
  }

  /** It says that it is absent, to a message that comes twice, and others take note. */
  private static void isLost(ByHand hand, Client orderer) {
    Propose twice = orderer.last(Propose.class);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    orderer.misdirect(twice, LOST);
    orderer.hear(LOST);
    orderer.ask(Get.class, IntStream.rangeClosed(1, hand.liar).toArray());
  }

  /** Brings the lost one up to date as far as the rank goes, if the orderer means to. */
  private static void isRestored(ByHand hand, Client orderer) {
    if (orderer.hasUnderWay(Restore.class)) {
      orderer.reach(Restore.class, LOST);
      orderer.requests.removeIf(it -> it.role() == LOST);
      assertThat(hand.server(LOST).machine().rank(OBJECT)).isNotEqualTo(Rank.NONE);
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void isNotBroughtUpToDateByWhatWasChosenBefore(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client orderer = warm(hand);
    orderer.submit();
    orderer.ask(Propose.class, LOST);
    isLost(hand, orderer);
    assertThat(orderer.hasUnderWay(Restore.class)).isFalse();
    int[] others = IntStream.rangeClosed(1, hand.liar).toArray();
    orderer.drive(others);
    does(orderer, others);
    assertThat(orderer.hasUnderWay(Restore.class)).as("when others have it").isTrue();
  }

  /** A ballot lasts as long as its client orders: who is lost twice in it must not stay outside. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isBroughtUpToDateAfterASecondLossToo(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client orderer = warm(hand);
    int[] others = IntStream.rangeClosed(1, hand.liar).toArray();
    for (int loss = 0; loss < 3; loss++) {
      orderer.submit();
      orderer.ask(Propose.class, LOST);
      orderer.passTime();
      isLost(hand, orderer);
      assertThat(orderer.hasUnderWay(Restore.class)).as("loss %s, at once", loss).isFalse();
      orderer.drive(others);
      does(orderer, others);
      assertThat(orderer.last(Restore.class, LOST).epoch())
          .isEqualTo(hand.server(LOST).machine().epoch());
      orderer.drive(LOST);
      does(orderer, IntStream.rangeClosed(0, hand.liar).toArray());
    }
  }

  /** What the first memory said comes late, when the second one is lost. */
  @Test
  void aLateWordOfAnEarlierLossIsNotHeeded() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client orderer = warm(hand);
    isLost(hand, orderer);
    Rank rank = orderer.last(Propose.class).proposal().rank();
    long epoch = hand.server(LOST).machine().epoch();
    int[] others = IntStream.rangeClosed(1, hand.liar).toArray();
    does(orderer, others);
    orderer.passTime();
    orderer.hear(LOST, new Absent(OBJECT, rank, epoch - 1));
    assertThat(orderer.hasUnderWay(Get.class)).as("has others take note of it").isFalse();
    does(orderer, others);
    assertThat(orderer.last(Restore.class, LOST).epoch()).isEqualTo(epoch);
  }

  /** Else it would have others take note of it all the time, and of nobody else. */
  @Test
  void whoLosesItsMemoryAgainAndAgainHasToWait() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client orderer = warm(hand);
    int[] others = IntStream.rangeClosed(1, hand.liar).toArray();
    orderer.submit();
    isLost(hand, orderer);
    Rank rank = orderer.last(Propose.class).proposal().rank();
    long epoch = hand.server(LOST).machine().epoch();
    orderer.drive(others);
    orderer.hear(LOST, new Absent(OBJECT, rank, epoch + 1));
    assertThat(orderer.hasUnderWay(Get.class)).isFalse();
    orderer.passTime();
    does(orderer, others);
    orderer.hear(LOST, new Absent(OBJECT, rank, epoch + 1));
    assertThat(orderer.hasUnderWay(Get.class)).isTrue();
  }

  /** Another client orders with the lost one, and the first hears of a quorum for its own. */
  @Test
  void doesNotForkAnOrderer() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client orderer = warm(hand);
    orderer.submit();
    orderer.ask(Propose.class, LOST);
    Propose proposed = orderer.last(Propose.class, 1);
    isLost(hand, orderer);
    isRestored(hand, orderer);
    othersGoOn(hand);
    orderer.misdirect(proposed, 1);
    orderer.hear(1);
    orderer.hear(
        hand.liar,
        new Accepted(
            OBJECT,
            proposed.proposal().rank(),
            proposed.proposal().state().version(),
            Accepted.Stage.PROPOSED,
            List.of()));
    readsAll(hand, orderer);
  }

  /** The same with a follower, who keeps the words of servers that have lost their memory. */
  @Test
  void doesNotForkAFollower() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client orderer = warm(hand);
    Client follower = hand.client();
    follower.submit();
    Rank asked = follower.last(Get.class).rank();
    for (int role : new int[] {1, 2}) {
      follower.hear(role, new Busy(OBJECT, asked, orderer.last(Propose.class).proposal().rank()));
    }
    Submit submit = follower.last(Submit.class);
    follower.misdirect(submit, LOST, 1);
    Rank rank = orderer.last(Propose.class).proposal().rank();
    orderer.hear(LOST, new Relayed(OBJECT, rank, List.of(submit.operation())));
    Propose proposed = orderer.last(Propose.class, LOST);
    orderer.ask(Propose.class, LOST);
    follower.hear(LOST);
    isLost(hand, orderer);
    isRestored(hand, orderer);
    othersGoOn(hand);
    orderer.misdirect(proposed, 1);
    Included said =
        follower.answers.stream()
            .filter(it -> it.role() == 1 && it.message() instanceof Included)
            .map(it -> (Included) it.message())
            .findFirst()
            .orElseThrow();
    follower.hear(1);
    follower.hear(hand.liar, said);
    assertThat(follower.receipts).hasSize(1);
    readsAll(hand, follower);
  }

  private static void othersGoOn(ByHand hand) {
    Client other = hand.submitter();
    other.giveWayToNobody();
    other.drive(LOST, 2, hand.liar);
  }

  private static void readsAll(ByHand hand, Client sure) {
    Client reader = hand.client();
    reader.giveWayToNobody();
    reader.read();
    for (int i = 0; i < 20 && reader.reads.isEmpty(); i++) {
      reader.drive(IntStream.rangeClosed(0, hand.liar).toArray());
      reader.beginAnew();
    }
    assertThat(reader.reads).hasSize(1);
    assertThat(reader.reads.get(0).lines()).hasSizeGreaterThanOrEqualTo(sure.receipts.size());
  }
}
