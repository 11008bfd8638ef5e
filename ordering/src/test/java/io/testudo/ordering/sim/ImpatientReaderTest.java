package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.sim.ByHand.Client;
import org.junit.jupiter.api.Test;

/** A client that follows another loses patience while it only reads. */
class ImpatientReaderTest {
  private final ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
  private final int[] correct = hand.correct();

  /** Another client orders what this one wants done, and this one learns of it by a read. */
  private Client followerThatWasServed() {
    Client orderer = hand.submitter();
    orderer.drive(correct);
    Client follower = hand.submitter();
    Busy busy =
        new Busy(
            OBJECT, follower.last(Get.class).rank(), orderer.last(Propose.class).proposal().rank());
    for (int role : correct) {
      follower.hear(role, busy);
    }
    follower.misdirect(follower.last(Submit.class), correct);
    follower.requests.clear();
    orderer.drive(correct);
    orderer.passTime();
    orderer.drive(correct);
    follower.answers.clear();
    assertThat(follower.receipts).isEmpty();
    follower.read();
    follower.drive(correct);
    assertThat(follower.receipts).hasSize(1);
    return follower;
  }

  @Test
  void itsNextBallotIsFollowedByAnotherWhenItFails() {
    Client follower = followerThatWasServed();
    follower.read();
    follower.giveWayToNobody();
    follower.ring(); // It is impatient.
    follower.drive(correct);
    follower.submit();
    follower.beginAnew();
    assertThat(follower.hasUnderWay(Get.class)).isTrue();
    follower.drive(correct);
    assertThat(follower.receipts).hasSize(2);
  }
}
