package io.testudo.ordering.client;

import static io.testudo.ordering.client.AccessStage.MILLI;
import static io.testudo.ordering.client.AccessStage.OBJECT;
import static io.testudo.ordering.client.AccessStage.TRIP;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.log.Rank;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.message.Answered;
import io.testudo.ordering.message.Busy;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Submit;
import io.testudo.ordering.message.Unattended;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.quorum.Access;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.Right;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import io.testudo.quorum.cluster.NoRight;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A client follows one that asks other servers than those that its operations went to. */
class FollowersElsewhereTest {
  private static final ServerSet SOME = ServerSet.firstN(3);
  private static final ServerSet OTHERS = ServerSet.firstN(7).minus(ServerSet.firstN(4));

  private static AccessStage stage(Access access) {
    return new AccessStage(
        QuorumKind.LEAST.thresholds(Mode.SEALED_STATEMENTS.need(), 7, 1),
        access,
        Mode.SEALED_STATEMENTS);
  }

  /** A ballot makes way for somebody that these servers know. */
  private static void makeWay(AccessStage stage, ServerSet knowing) {
    Rank asked = stage.sentTo(stage.drawn.iterator().next(), Get.class).get(0).rank();
    stage.lose();
    knowing.forEach(server -> stage.hear(server, new Busy(OBJECT, asked, new Rank(1, 9))));
  }

  private static ServerId oneThatHasIt(AccessStage stage) {
    return stage.sentTo(Submit.class).iterator().next();
  }

  @Test
  void itHandsItsOperationsToThoseThatKnowWhoOrders() {
    AccessStage stage = stage(Access.ALL);
    long unused = stage.submit();
    makeWay(stage, SOME);
    ServerSet known = stage.sentTo(Submit.class);
    assertThat(known.size()).isEqualTo(2);
    assertThat(SOME.isSupersetOf(known)).isTrue();

    known.forEach(server -> stage.hear(server, new Unattended(OBJECT)));
    makeWay(stage, OTHERS);
    ServerSet knownNow = stage.sentTo(Submit.class);
    assertThat(knownNow.size()).as("it waits for no timer").isEqualTo(2);
    assertThat(OTHERS.isSupersetOf(knownNow)).isTrue();
  }

  /** Their gates have refused its ballot: none of them knows where to tell it what came of it. */
  @Test
  void itHandsThemToAllIfItMayNotOrder() {
    AccessStage stage = stage(Access.ALL);
    long unused = stage.submit();
    stage.lose();
    SOME.forEach(server -> stage.hear(server, new NoRight(Right.ORDER, OBJECT)));
    assertThat(stage.sentTo(Submit.class)).isEqualTo(stage.everyone);
  }

  private static void refuse(AccessStage stage, ServerSet refusing) {
    refusing.forEach(server -> stage.hear(server, new NoRight(Right.ORDER, OBJECT)));
  }

  /** What others said of an earlier one does not count: the right may have been granted since. */
  @Test
  void oneServerAloneDoesNotRefuseWhatEndsAnObject() {
    AccessStage stage = stage(Access.ALL);
    long refused = stage.submit(LifeOperations.delete());
    refuse(stage, SOME);
    assertThat(stage.isDone(refused)).isTrue();
    stage.lose();
    refuse(stage, OTHERS);

    long next = stage.submit(LifeOperations.delete());
    refuse(stage, ServerSet.firstN(1));
    assertThat(stage.isDone(next)).isFalse();
    refuse(stage, ServerSet.firstN(2));
    assertThat(stage.isDone(next)).isTrue();
  }

  private static void submitWithoutTheRightToOrder(AccessStage stage) {
    long unused = stage.submit();
    SOME.forEach(server -> stage.hear(server, new NoRight(Right.ORDER, OBJECT)));
  }

  private static void answer(AccessStage stage, SubmittedOperation operation) {
    Answered answer = new Answered(OBJECT, operation.id(), 1, Optional.of(Bytes.EMPTY));
    SOME.forEach(server -> stage.hear(server, answer));
    stage.lose();
  }

  private static SubmittedOperation submitted(AccessStage stage) {
    return stage.sentTo(new ServerId(0), Submit.class).get(0).operation();
  }

  /** It never takes the tenure, which would make it as patient as it was in the beginning. */
  @Test
  void oneThatMayNotOrderDoesNotBecomeMorePatientForEver() {
    AccessStage stage = stage(Access.ALL);
    submitWithoutTheRightToOrder(stage);
    SubmittedOperation first = submitted(stage);
    stage.lose();
    stage.pass(400 * MILLI);
    assertThat(submitted(stage)).as("it lost patience").isEqualTo(first);
    answer(stage, first);
    submitWithoutTheRightToOrder(stage);
    answer(stage, submitted(stage));

    submitWithoutTheRightToOrder(stage);
    stage.lose();
    // About four times what the first operation took, and a quarter of that; not twice as much.
    stage.pass(2_200 * MILLI);
    assertThat(stage.sentTo(Submit.class)).isEqualTo(stage.everyone);
  }

  @Test
  void itHandsThemOutOnceIfThoseThatHaveThemKnow() {
    AccessStage stage = stage(Access.ALL);
    long unused = stage.submit();
    makeWay(stage, SOME);
    stage.hear(oneThatHasIt(stage), new Unattended(OBJECT));
    makeWay(stage, SOME);
    assertThat(stage.sentTo(Submit.class)).isEqualTo(ServerSet.none());
  }

  @Test
  void itHandsThemToAllIfOneAloneDoesNotKnowAndQuorumsMayDiffer() {
    AccessStage stage = stage(Access.QUORUM);
    long unused = stage.submit();
    makeWay(stage, SOME);
    ServerId one = oneThatHasIt(stage);
    stage.hear(one, new Unattended(OBJECT));
    makeWay(stage, SOME);
    stage.lose();
    stage.pass(10 * MILLI);

    stage.hear(one, new Unattended(OBJECT)); // It was believed just now.
    assertThat(stage.sentTo(Get.class)).isEqualTo(ServerSet.none());
    assertThat(stage.sentTo(Submit.class)).isEqualTo(stage.everyone);
    stage.lose();
    stage.pass(TRIP);
    stage.hear(one, new Unattended(OBJECT));
    assertThat(stage.sentTo(Submit.class)).as("once").isEqualTo(ServerSet.none());
  }
}
