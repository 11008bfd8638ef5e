package io.testudo.ordering.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A ballot finishes what it found, while another has ordered more by then, this client's own
 * operation among it.
 */
class OutdatedBallotTest {
  @ParameterizedTest
  @EnumSource(names = {"PLAIN", "SEALED_RANKS"})
  void isNotRestedInWhileThereIsSomethingToDo(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    int[] correct = hand.correct();
    Client dead = hand.submitter();
    dead.ask(Get.class, correct);
    dead.ask(Propose.class, correct);

    Client client = hand.submitter();
    client.giveUp();
    client.misdirect(client.last(Submit.class), correct);
    client.beginAnew();
    client.ask(Get.class, correct);
    client.fetch(correct);
    client.ask(Propose.class, correct);
    client.reach(Commit.class, correct); // Its answers take long.
    client.submit();

    Client ahead = hand.submitter();
    ahead.giveWayToNobody();
    ahead.drive(correct);
    assertThat(ahead.receipts).hasSize(1);
    for (Parcel answer : List.copyOf(client.answers)) {
      if (answer.message() instanceof Answered) {
        client.answers.remove(answer);
        client.hear(answer.role(), answer.message());
      }
    }
    assertThat(client.receipts).hasSize(1);

    client.requests.clear();
    client.answers.removeIf(answer -> !(answer.message() instanceof Accepted)); // They are lost.
    client.hear(correct);
    assertThat(client.hasUnderWay(Get.class)).isTrue();
    client.giveWayToNobody();
    client.drive(correct);
    assertThat(client.receipts).hasSize(2);
  }
}
