package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who reads at a client that orders must not be answered by what servers said before. (The checker
 * of the ledger throws if a read lacks what was answered before it began.)
 */
class FreshReadsTest {
  private static void completes(ByHand hand, Client client) {
    client.drive(hand.correct());
    assertThat(client.receipts).isNotEmpty();
  }

  private static void readsInTheEnd(ByHand hand, Client client, int reads) {
    for (int i = 0; i < 100 && client.reads.size() < reads; i++) {
      client.drive(hand.correct());
      client.passTime();
    }
    assertThat(client.reads).hasSize(reads);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void theReportsOfABallotDoNotAnswerWhoCameAfterItsQuestion(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client client = hand.client();
    client.read();
    do {
      client.beginAnew(); // Nobody answers, until it reads by ordering.
    } while (client.last(Get.class).rank().equals(Rank.NONE));
    client.reach(Get.class, hand.correct());
    // The reports are under way, and say that there is nothing. Another client does something.
    Client other = hand.submitter();
    other.giveWayToNobody();
    completes(hand, other);
    client.read();
    client.hear(hand.correct());
    readsInTheEnd(hand, client, 2);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void acknowledgementsThatComeTwiceDoNotConfirmAState(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client client = hand.submitter();
    client.ask(Get.class, hand.correct());
    client.reach(Propose.class, hand.correct());
    List<Parcel> copies =
        client.answers.stream().filter(it -> it.message() instanceof Accepted).toList();
    assertThat(copies).isNotEmpty();
    client.hear(hand.correct());
    completes(hand, client);
    Client other = hand.submitter();
    other.giveWayToNobody();
    completes(hand, other);
    client.read();
    copies.forEach(copy -> client.hear(copy.role(), copy.message()));
    readsInTheEnd(hand, client, 1);
  }
}
