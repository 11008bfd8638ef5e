package io.testudo.ordering.sim;

import static io.testudo.ordering.sim.ByHand.OBJECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.crypto.SealKind;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Superseded;
import io.testudo.ordering.sim.ByHand.Client;
import io.testudo.ordering.sim.ByHand.Parcel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A ballot that is refused ends at once, in whatever phase it hears of it and in whatever order,
 * and others are told what its client wants done. No silent server makes it wait.
 */
class RefusedBallotsTest {
  /** It begins, and a later one has a higher rank. */
  private static Superseded refusal(Client refused, Client later) {
    Get higher = later.last(Get.class);
    return new Superseded(OBJECT, refused.last(Get.class).rank(), higher.rank(), higher.seal());
  }

  private static void hearReports(ByHand hand, Client client, int... roles) {
    Get get = client.last(Get.class);
    for (int role : roles) {
      client.hear(
          role,
          ByHand.report(
              get,
              hand.server(role).machine().proposed(OBJECT),
              hand.server(role).machine().committed(OBJECT)));
    }
  }

  private static boolean hasEnded(Client client) {
    return client.hasUnderWay(Submit.class);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whileItFetchesWhatItWillGoOnFrom(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    hand.submitter().drive(hand.correct());
    Client refused = hand.submitter();
    refused.reach(Get.class, hand.correct());
    for (Parcel answer : List.copyOf(refused.answers)) {
      Report report = (Report) answer.message();
      refused.hear(
          answer.role(),
          ByHand.report(refused.last(Get.class), report.proposed(), report.committed()));
    }
    refused.answers.clear();
    assertThat(refused.hasUnderWay(Propose.class)).isFalse();
    Superseded refusal = refusal(refused, hand.submitter());
    assertThat(hasEnded(refused)).isFalse();
    for (int role : hand.correct()) {
      refused.hear(role, refusal); // They tell it, though it asks them nothing.
    }
    assertThat(hasEnded(refused)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "SEALED_.*", mode = EnumSource.Mode.MATCH_ALL)
  void whenTheRefusalComesBeforeTheReports(Mode mode) {
    ByHand hand = new ByHand(mode, 0);
    Client refused = hand.submitter();
    Client later = hand.submitter();
    refused.hear(0, refusal(refused, later));
    for (int role = 1; role < hand.thresholds.responsive(); role++) {
      assertThat(hasEnded(refused)).isFalse();
      hearReports(hand, refused, role);
    }
    assertThat(hasEnded(refused)).isTrue();
  }

  @Test
  void whenTheRefusalComesBeforeTheOthersHaveCommitted() {
    ByHand hand = new ByHand(Mode.SEALED_RANKS, 0);
    Client refused = hand.submitter();
    refused.ask(Get.class, hand.correct());
    refused.ask(Propose.class, hand.correct());
    Client later = hand.submitter();
    refused.hear(0, refusal(refused, later));
    assertThat(hasEnded(refused)).isFalse();
    for (int role = 1; role < hand.liar; role++) {
      refused.ask(Commit.class, role);
    }
    assertThat(hasEnded(refused)).isTrue();
  }

  /** Else it could end every ballot, just before the last of the others answers. */
  @Test
  void notByTheWordOfALiarThatSomebodyElseOrders() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client client = hand.submitter();
    hearReports(hand, client, 0, 1);
    client.hear(hand.liar, busy(client));
    assertThat(hasEnded(client)).isFalse();
    hearReports(hand, client, 2);
    assertThat(client.hasUnderWay(Propose.class)).isTrue();
  }

  /** It may be true. */
  @Test
  void byThatWordWhenTheOthersHadTheirTime() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client client = hand.submitter();
    client.hear(0, busy(client));
    hearReports(hand, client, 1, 2);
    assertThat(hasEnded(client)).isFalse();
    client.passTime();
    assertThat(hasEnded(client)).isTrue();
  }

  /** Else a liar could tell of what nobody has, and is as good as one that accepts. */
  @Test
  void byARefusalWhenOneThatAgreesSendsNotWhatItTellsOf() {
    ByHand hand = new ByHand(Mode.SEALED_STATEMENTS, 0);
    Client refused = hand.submitter();
    Client later = hand.submitter();
    Statement unknown =
        ByHand.SEALS.seal(
            SealKind.PROPOSE, OBJECT, new Rank(1, 9), new StateId(7, Digest.of(new byte[] {7})));
    hearReports(hand, refused, 1, 2);
    refused.hear(
        hand.liar, ByHand.report(refused.last(Get.class), Optional.of(unknown), Optional.empty()));
    refused.hear(0, refusal(refused, later));
    assertThat(hasEnded(refused)).isFalse();
    refused.passTime();
    assertThat(hasEnded(refused)).isTrue();
  }

  private static Busy busy(Client client) {
    Get get = client.last(Get.class);
    return new Busy(OBJECT, get.rank(), get.rank());
  }
}
