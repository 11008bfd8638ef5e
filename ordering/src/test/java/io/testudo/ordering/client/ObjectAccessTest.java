package io.testudo.ordering.client;

import static io.testudo.ordering.client.AccessStage.MANY;
import static io.testudo.ordering.client.AccessStage.MILLI;
import static io.testudo.ordering.client.AccessStage.OBJECT;
import static io.testudo.ordering.client.AccessStage.TRIP;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.crypto.Digest;
import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.StateId;
import io.testudo.ordering.log.Statement;
import io.testudo.ordering.message.Accepted;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Commit;
import io.testudo.ordering.message.EndTenure;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.InstallSnapshot;
import io.testudo.ordering.message.Missing;
import io.testudo.ordering.message.Propose;
import io.testudo.ordering.message.Report;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.server.Enrolment;
import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.protocol.DrawnQuorums;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client of objects that asks one quorum first, and the others when it must. */
class ObjectAccessTest {
  private static final int SERVERS = 7;

  private final AccessStage stage = sealed(Access.QUORUM);
  private final ServerSet drawn = stage.drawn;
  private final ServerSet others = stage.others;
  private final ServerId one = drawn.iterator().next();
  private final ServerId another = drawn.without(one).iterator().next();
  private final ServerId spare = others.iterator().next();

  private static AccessStage sealed(Access access) {
    return new AccessStage(
        QuorumKind.LEAST.thresholds(Mode.SEALED_STATEMENTS.need(), SERVERS, 1),
        access,
        Mode.SEALED_STATEMENTS);
  }

  private static AccessStage plain() {
    return new AccessStage(
        QuorumKind.LEAST.thresholds(Mode.PLAIN.need(), 9, 1), Access.QUORUM, Mode.PLAIN);
  }

  /** An operation that one of the quorum does not accept in time: all others have accepted it. */
  private long lateAt(ServerId late) {
    long call = stage.submit();
    stage.trip(drawn.without(late));
    assertThat(stage.isDone(call)).isFalse();
    stage.pass(TRIP);
    return call;
  }

  @Test
  void asksItsQuorumAndNobodyElse() {
    long call = stage.submit();
    assertThat(stage.sentTo(Get.class)).isEqualTo(drawn);
    stage.trip(drawn);
    assertThat(stage.sentTo(Propose.class)).isEqualTo(drawn);
    stage.trip(drawn);
    assertThat(stage.isDone(call)).isTrue();
    stage.pass(10 * MILLI);
    assertThat(stage.sentTo(Commit.class)).isEqualTo(drawn);
    assertThat(drawn.size()).isEqualTo(stage.thresholds.quorum());
    stage.lose();

    long unused = stage.submit();
    assertThat(stage.sentTo(Propose.class)).isEqualTo(drawn);
  }

  @Test
  void neverTakesFewerThanAQuorumForOne() {
    long call = stage.submit();
    stage.trip(drawn.without(one));
    assertThat(stage.sentTo(Propose.class)).isEqualTo(ServerSet.none());
    stage.reach(drawn);
    stage.trip(drawn.without(another));
    assertThat(stage.isDone(call)).isFalse();
    stage.reach(ServerSet.of(another));
    assertThat(stage.isDone(call)).isTrue();
  }

  @Test
  void asksTheOthersWhenOneIsLateByWhatWasMeasured() {
    stage.order(MANY);
    long call = lateAt(one);
    assertThat(stage.sentTo(Propose.class)).isEqualTo(others.with(one));
    stage.reach(ServerSet.of(spare));
    assertThat(stage.isDone(call)).isTrue();
  }

  @Test
  void asksTheOthersWhatThereIsWhenOneIsLateToTell() {
    stage.order(MANY);
    stage.pass(2_000 * MILLI); // The tenure ends, and somebody else may have come.
    stage.lose();
    stage.refuse(one, rankOf(Propose.class));
    stage.refuse(another, rankOf(Propose.class));
    stage.lose();
    long call = stage.submit();
    assertThat(stage.sentTo(Get.class)).isEqualTo(drawn);
    stage.trip(drawn.without(one));
    stage.pass(TRIP);
    assertThat(stage.sentTo(Get.class)).isEqualTo(others.with(one));
    stage.reach(others);
    stage.trip(stage.everyone);
    assertThat(stage.isDone(call)).isTrue();
  }

  private Rank last = Rank.NONE;

  /** Of the ballot that is under way, or was last. */
  private Rank rankOf(Class<Propose> kind) {
    stage.sentTo(one, kind).forEach(propose -> last = propose.proposal().rank());
    stage.answers(Accepted.class).forEach(accepted -> last = accepted.rank());
    return last;
  }

  @Test
  void avoidsOneThatWasLateAndIsContentWithAQuorumAgain() {
    stage.order(MANY);
    long unused = lateAt(one);
    stage.reach(others);
    stage.lose();

    unused = stage.submit();
    ServerSet now = stage.sentTo(Propose.class);
    assertThat(now.contains(one)).isFalse();
    assertThat(now.size()).isEqualTo(stage.thresholds.quorum());
    assertThat(now.isSupersetOf(drawn.without(one))).isTrue();
    stage.trip(now);
    stage.lose();
    stage.pass(2_000 * MILLI);
    assertThat(stage.sentTo(EndTenure.class)).as("all who know of it").isEqualTo(stage.everyone);
  }

  @Test
  void oneThatAsksForMoreAndNeverAcceptsIsLateToo() {
    stage.order(MANY);
    long unused = stage.submit();
    Propose propose = stage.sentTo(one, Propose.class).get(0);
    stage.trip(drawn.without(one));
    stage.hear(
        one,
        new Missing(
            OBJECT,
            propose.proposal().rank(),
            propose.proposal().state(),
            propose.entries().get(0).before()));
    stage.pass(2 * TRIP);
    stage.reach(others);
    stage.lose();

    unused = stage.submit();
    assertThat(stage.sentTo(Propose.class).contains(one)).isFalse();
  }

  /** It may ask for megabytes, and each proposal is a question. */
  @Test
  void oneThatLacksTheWholePastEachTimeIsNotSentItEachTime() {
    stage.order(MANY);
    int sent = 0;
    for (int i = 0; i < 50; i++) {
      long call = stage.submit();
      Propose propose = stage.sentTo(one, Propose.class).get(0);
      stage.reach(drawn.without(one));
      stage.lose();
      stage.hear(
          one,
          new Missing(
              OBJECT,
              propose.proposal().rank(),
              propose.proposal().state(),
              StateId.genesis(OBJECT)));
      sent += stage.sentTo(one, Propose.class).isEmpty() ? 0 : 1;
      stage.hear(one, accepted(propose)); // So it is not late either.
      assertThat(stage.isDone(call)).isTrue();
      stage.lose();
      stage.pass(TRIP);
    }
    assertThat(sent).isEqualTo(1);
    stage.pass(400 * MILLI);
    stage.lose();
    long unused = stage.submit();
    Propose propose = stage.sentTo(one, Propose.class).get(0);
    stage.lose();
    Rank rank = propose.proposal().rank();
    stage.hear(one, new Missing(OBJECT, rank, propose.proposal().state(), StateId.genesis(OBJECT)));
    assertThat(stage.sentTo(one, Propose.class)).as("what it was sent may be lost").isNotEmpty();
  }

  private static Accepted accepted(Propose propose) {
    return new Accepted(
        OBJECT,
        propose.proposal().rank(),
        propose.proposal().state().version(),
        Accepted.Stage.PROPOSED,
        List.of());
  }

  @Test
  void whatTookLongerBecauseOthersHadToBeAskedIsNoMeasure() {
    stage.order(MANY);
    long call = lateAt(one);
    stage.pass(100 * MILLI);
    stage.reach(others);
    assertThat(stage.isDone(call)).isTrue();
    stage.lose();

    long unused = stage.submit();
    ServerSet asked = stage.sentTo(Propose.class);
    stage.trip(asked.without(another));
    stage.pass(TRIP);
    assertThat(stage.sentTo(Propose.class)).isEqualTo(stage.everyone.minus(asked).with(another));
  }

  @Test
  void oneThatIsAskedForTheFirstTimeIsSentThePast() {
    stage.order(MANY);
    long call = lateAt(one);
    assertThat(stage.sentTo(spare, Propose.class)).hasSize(1);
    assertThat(stage.sentTo(spare, Propose.class).get(0).entries()).hasSize(MANY + 1);
    stage.reach(ServerSet.of(spare));
    assertThat(stage.isDone(call)).isTrue();
    assertThat(stage.answers(Missing.class)).isEmpty();
  }

  @Test
  void oneThatIsAskedForTheFirstTimeIsSentASnapshotToo() {
    AccessStage brief = new AccessStage(stage.thresholds, Access.QUORUM, Mode.SEALED_STATEMENTS, 3);
    brief.order(MANY);
    long call = brief.submit();
    brief.trip(drawn.without(one));
    brief.pass(TRIP);
    assertThat(brief.sentTo(InstallSnapshot.class)).isEqualTo(others);
    brief.reach(ServerSet.of(spare));
    assertThat(brief.isDone(call)).isTrue();
  }

  @Test
  void oneThatTakesTheirPlaceIsSentThePast() {
    String name = nameOfAQuorumWith(one);
    stage.order(MANY);
    stage.order(name, 2);
    long call = lateAt(one);
    stage.reach(stage.everyone);
    assertThat(stage.isDone(call)).isTrue();

    long elsewhere = stage.submit(name, Optional.empty());
    ServerSet asked = stage.sentTo(Propose.class);
    assertThat(asked.contains(one)).isFalse();
    stage.trip(asked);
    assertThat(stage.isDone(elsewhere)).isTrue();
    assertThat(stage.answers(Missing.class)).isEmpty();
  }

  private String nameOfAQuorumWith(ServerId server) {
    DrawnQuorums draws = new DrawnQuorums(stage.thresholds.quorums());
    int number = 0;
    while (!draws.of("other-" + number, 0).contains(server)) {
      number++;
    }
    return "other-" + number;
  }

  @Test
  void oneThatWasLeftOutForAWhileIsSentWhatCameMeanwhile() {
    stage.order(MANY);
    long unused = lateAt(one);
    stage.reach(stage.everyone);
    for (int i = 0; i < 2; i++) {
      unused = stage.submit();
      stage.trip(stage.everyone.without(one));
      stage.lose();
    }
    stage.pass(1_100 * MILLI); // From now on it is not avoided any more.
    stage.lose();
    long call = stage.submit();
    assertThat(stage.sentTo(Propose.class)).isEqualTo(drawn);
    stage.trip(drawn);
    assertThat(stage.isDone(call)).isTrue();
    assertThat(stage.answers(Missing.class)).isEmpty();
  }

  @Test
  void whoIsAskedToCommitWhatItWasNotSentIsSentItFirst() {
    AccessStage plain = plain();
    plain.order(MANY);
    ServerId late = plain.drawn.iterator().next();
    ServerId more = plain.others.iterator().next();
    long call = plain.submit();
    plain.trip(plain.drawn);
    assertThat(plain.sentTo(Commit.class)).isEqualTo(plain.drawn);
    plain.trip(plain.drawn.without(late));
    plain.pass(TRIP);
    assertThat(plain.isDone(call)).isFalse();
    assertThat(plain.sentTo(Commit.class)).isEqualTo(plain.others.with(late));
    plain.reach(ServerSet.of(more));
    assertThat(plain.isDone(call)).isTrue();
    assertThat(plain.answers(Missing.class)).isEmpty();
  }

  @Test
  void asManyRefusalsAsMayBeLiesOnlyMakeItAskTheOthers() {
    stage.order(MANY);
    long call = stage.submit();
    Rank rank = rankOf(Propose.class);
    stage.refuse(one, rank);
    assertThat(stage.sentTo(Propose.class)).isEqualTo(stage.everyone);
    stage.trip(stage.everyone.without(one));
    assertThat(stage.isDone(call)).isTrue();
  }

  @Test
  void oneRefusalMoreOfThoseAskedEndsTheBallotThoughTheOthersWouldBeAQuorum() {
    long unused = stage.submit();
    Rank asked = stage.sentTo(one, Get.class).get(0).rank();
    stage.trip(drawn.without(one).without(another));
    // Both at once: so the others were not asked between.
    stage.hear(one, new Busy(OBJECT, asked, new Rank(1, 9)));
    assertThat(stage.sentTo(Get.class).isSupersetOf(others)).isTrue();
    assertThat(stage.sentTo(Submit.class)).isEqualTo(ServerSet.none());
    stage.lose();
    stage.refuse(another, asked);
    assertThat(stage.sentTo(EndTenure.class)).isEqualTo(ServerSet.none());
    stage.refuse(spare, asked);
    assertThat(stage.sentTo(EndTenure.class)).isEqualTo(stage.everyone);
    assertThat(stage.sentTo(Submit.class).size()).isEqualTo(2);
    ServerSet known = ServerSet.of(one, another, spare);
    assertThat(known.isSupersetOf(stage.sentTo(Submit.class))).as("who says so").isTrue();
    stage.lose();

    long more = stage.submit();
    assertThat(stage.sentTo(Submit.class).size()).isEqualTo(2);
    assertThat(drawn.isSupersetOf(stage.sentTo(Submit.class))).as("where one may order").isTrue();
    assertThat(stage.isDone(more)).isFalse();
  }

  @Test
  void asksTheOthersWhenOneLostItsMemory() {
    stage.order(MANY);
    stage.start(one, Enrolment.RETURNING);
    long call = stage.submit();
    stage.trip(drawn);
    assertThat(stage.sentTo(Propose.class).isSupersetOf(others)).isTrue();
    stage.reach(others);
    assertThat(stage.isDone(call)).isTrue();
    stage.lose();

    long unused = stage.submit();
    ServerSet asked = stage.sentTo(Propose.class);
    assertThat(asked.size()).as("one quorum is enough again").isEqualTo(drawn.size());
    assertThat(asked.contains(one)).as("it may say so each time").isFalse();
  }

  @Test
  void readsAtItsQuorumAndElsewhereWhenOneIsLate() {
    stage.order(MANY);
    stage.pass(20 * MILLI);
    stage.reach(drawn);
    long read = stage.read(); // By whoever orders: it asks whether its rank stands.
    assertThat(stage.sentTo(Get.class)).isEqualTo(drawn);
    stage.trip(drawn.without(one));
    assertThat(stage.isDone(read)).isFalse();
    stage.pass(TRIP);
    assertThat(stage.sentTo(Get.class)).isEqualTo(others.with(one));
    stage.reach(others);
    assertThat(stage.isDone(read)).isTrue();
    assertThat(stage.seen(read)).isEqualTo("x".repeat(MANY));
  }

  @Test
  void readsWithoutOrderingAtItsQuorumAndElsewhereWhenOneIsLate() {
    long read = stage.read();
    assertThat(stage.sentTo(Get.class)).isEqualTo(drawn);
    stage.trip(drawn.without(one));
    assertThat(stage.isDone(read)).isFalse();
    stage.pass(200 * MILLI); // Nothing is known of round trips yet.
    assertThat(stage.sentTo(Get.class)).isEqualTo(others.with(one));
    stage.reach(ServerSet.of(spare));
    assertThat(stage.isDone(read)).isTrue();

    stage.lose();

    long unused = stage.read();
    assertThat(stage.sentTo(Get.class).contains(one)).as("it was late").isFalse();
    assertThat(stage.sentTo(Get.class).size()).isEqualTo(stage.thresholds.quorum());
  }

  @Test
  void asksAllWhenTwoReadsAtTheQuorumShowThatSomebodyIsAtWork() {
    AccessStage plain = plain();
    long read = plain.read();
    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThat(plain.sentTo(Get.class)).isEqualTo(plain.drawn);
      Get get = plain.sentTo(plain.drawn.iterator().next(), Get.class).get(0);
      plain.lose();
      StateId state = new StateId(1, Digest.of(new byte[] {1}));
      Optional<Statement> proposed =
          Optional.of(new Statement(new Rank(attempt, 9), state, Optional.empty()));
      int told = 0;
      for (ServerId server : plain.drawn) {
        plain.hear(
            server,
            new Report(
                OBJECT,
                get.nonce(),
                told++ < 3 ? proposed : Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of()));
      }
    }
    assertThat(plain.sentTo(Get.class)).isEqualTo(plain.everyone);
    assertThat(plain.isDone(read)).isFalse();
  }
}
