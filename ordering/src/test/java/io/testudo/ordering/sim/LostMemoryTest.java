package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.Absent;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.server.Enrolment;
import io.testudo.ordering.server.MemoryLost;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import io.testudo.quorum.protocol.Effect;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that lost its disk stays out until it is let in, and then until it is up to date. */
class LostMemoryTest {
  private static final int LOST = 0;

  private static Client does(ByHand hand, int operations) {
    Client client = hand.client();
    for (int i = 0; i < operations; i++) {
      client.submit();
      client.drive(hand.correct());
    }
    assertThat(client.receipts).hasSize(operations);
    return client;
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void saysNothingUnlessAnOperatorLetsItIn(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    does(hand, 2);
    assertThat(hand.server(LOST).startWithoutMemory(Enrolment.EXPECTED))
        .containsExactly(new Effect.Tell<>(new MemoryLost()));
    Client client = hand.submitter();
    client.reach(Get.class, LOST);
    assertThat(client.answers).isEmpty();
    hand.server(LOST).restart();
    client.misdirect(client.last(Get.class), LOST);
    assertThat(client.answers).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void takesNoPartBeforeItWasBroughtUpToDate(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    does(hand, 2);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    Client client = hand.submitter();
    client.reach(Get.class, LOST);
    Get get = client.last(Get.class);
    assertThat(client.answers)
        .extracting(Parcel::message)
        .containsExactly(new Absent(OBJECT, get.rank(), hand.server(LOST).machine().epoch()));
    hand.server(LOST).restart();
    client.misdirect(get, LOST);
    assertThat(client.answers).hasSize(2).noneMatch(it -> it.message() instanceof Report);
    assertThat(hand.server(LOST).machine().committed(OBJECT)).isEmpty();
  }

  /** Without it, the two that are left and the liar would be one too few. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void isBroughtUpToDateByTheNextBallotAndCountsAgain(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    does(hand, 7);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    Client helper = hand.submitter();
    int[] everyone = allRoles(hand);
    helper.drive(everyone);
    helper.passTime(); // It publishes what it has chosen once more.
    helper.drive(everyone);
    assertThat(helper.receipts).hasSize(1);
    assertThat(hand.server(LOST).machine().committed(OBJECT))
        .isEqualTo(hand.server(1).machine().committed(OBJECT));
    hand.server(LOST).restart();
    assertThat(hand.server(LOST).machine().committed(OBJECT))
        .isEqualTo(hand.server(1).machine().committed(OBJECT));

    int[] withIt = new int[hand.thresholds.quorum()];
    for (int i = 0; i < withIt.length; i++) {
      withIt[i] = i;
    }
    Client next = hand.submitter();
    next.drive(withIt);
    assertThat(next.receipts).hasSize(1);
    assertThat(next.receipts.get(0).place()).isEqualTo(9);
  }

  private static int[] allRoles(ByHand hand) {
    int[] roles = new int[hand.thresholds.servers()];
    for (int i = 0; i < roles.length; i++) {
      roles[i] = i;
    }
    return roles;
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aBallotInWhichItTookNoPartCannotCountIt(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    does(hand, 1);
    hand.server(LOST).startWithoutMemory(Enrolment.RETURNING);
    Client client = hand.submitter();
    // One less than a quorum answers, and the one that forgot.
    int[] tooFew = new int[hand.thresholds.quorum()];
    for (int i = 0; i < tooFew.length; i++) {
      tooFew[i] = i;
    }
    client.drive(tooFew);
    assertThat(client.receipts).isEmpty();
    assertThat(client.hasUnderWay(Propose.class)).isFalse();
  }
}
