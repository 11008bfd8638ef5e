package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A client orders, and a read that it began before shows what somebody of a higher rank has chosen
 * meanwhile. Its next proposal would go on from that, though those under way do not: at one rank
 * two states would have one version, and servers would tell of a fork.
 */
class OvertakenBallotTest {
  private static boolean isRead(Parcel sent) {
    return sent.message() instanceof Get get && get.rank().equals(Rank.NONE);
  }

  @Test
  void endsWithWhatAReadShows() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client overtaken = hand.client();
    overtaken.read();
    List<Parcel> slow = overtaken.requests.stream().filter(OvertakenBallotTest::isRead).toList();
    overtaken.requests.removeAll(slow);

    overtaken.submit();
    overtaken.ask(Get.class, 0, 1, 2);
    overtaken.reach(Propose.class, 2);
    overtaken.submit();
    overtaken.passTime();
    assertThat(overtaken.last(Propose.class).proposal().state().version()).isEqualTo(2);
    overtaken.loseAll();

    Client later = hand.client();
    later.giveWayToNobody();
    later.submit();
    later.askWithLiar(Get.class, 0, 1);
    later.askWithLiar(Propose.class, 0, 1);
    assertThat(later.receipts).hasSize(1);
    later.passTime();
    later.reach(Commit.class, 0, 1);

    Get read = (Get) slow.get(0).message();
    overtaken.answers.clear();
    overtaken.misdirect(read, 0, 1);
    overtaken.hear(0, 1);
    overtaken.hear(
        hand.liar,
        ByHand.report(
            read,
            hand.server(0).machine().proposed(OBJECT),
            hand.server(0).machine().committed(OBJECT)));
    overtaken.fetch(0, 1);
    assertThat(overtaken.reads).hasSize(1);

    overtaken.submit();
    overtaken.passTime(); // What it proposes now must not contradict what it proposed.
    assertThat(overtaken.hasUnderWay(Submit.class)).as("it follows").isTrue();
  }
}
