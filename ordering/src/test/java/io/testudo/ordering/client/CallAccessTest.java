package io.testudo.ordering.client;

import static io.testudo.ordering.client.AccessStage.MANY;
import static io.testudo.ordering.client.AccessStage.MILLI;
import static io.testudo.ordering.client.AccessStage.OBJECT;
import static io.testudo.ordering.client.AccessStage.TRIP;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.ordering.message.Get;
import io.testudo.ordering.message.Propose;
import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import io.testudo.quorum.ServerSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Calls that choose whom to ask first. */
class CallAccessTest {
  private static final Optional<Access> ALL = Optional.of(Access.ALL);
  private static final Optional<Access> QUORUM = Optional.of(Access.QUORUM);

  private final AccessStage stage = sealed(Access.QUORUM);
  private final ServerSet drawn = stage.drawn;
  private final ServerId one = drawn.iterator().next();

  private static AccessStage sealed(Access access) {
    return new AccessStage(
        QuorumKind.LEAST.thresholds(Mode.SEALED_STATEMENTS.need(), 7, 1),
        access,
        Mode.SEALED_STATEMENTS);
  }

  @Test
  void aCallMayAskAllThoughTheClientUsuallyAsksAQuorum() {
    stage.order(MANY);
    long call = stage.submit(ALL);
    assertThat(stage.sentTo(Propose.class)).isEqualTo(stage.everyone);
    stage.trip(stage.everyone.without(one));
    assertThat(stage.isDone(call)).isTrue();
    stage.reach(ServerSet.of(one));

    long unused = stage.submit();
    assertThat(stage.sentTo(Propose.class)).isEqualTo(drawn);
    stage.trip(drawn);
    stage.lose();
    unused = stage.read(ALL);
    assertThat(stage.sentTo(Get.class)).isEqualTo(stage.everyone);
  }

  @Test
  void aCallMayAskAQuorumThoughTheClientUsuallyAsksAll() {
    AccessStage usual = sealed(Access.ALL);
    usual.order(MANY);
    long call = usual.submit(QUORUM);
    assertThat(usual.sentTo(Propose.class)).isEqualTo(drawn);
    usual.trip(drawn);
    assertThat(usual.isDone(call)).isTrue();
    usual.lose();

    long unused = usual.submit();
    assertThat(usual.sentTo(Propose.class)).isEqualTo(usual.everyone);
    usual.trip(usual.everyone);
    usual.lose();
    unused = usual.read(QUORUM);
    assertThat(usual.sentTo(Get.class)).isEqualTo(drawn);
  }

  @Test
  void whoWantsAllAskedIsNotSlowedByOthers() {
    AccessStage usual = sealed(Access.ALL);
    long first = usual.submit(QUORUM);
    assertThat(usual.sentTo(Get.class)).isEqualTo(drawn);
    long second = usual.submit();
    usual.trip(drawn);
    assertThat(usual.sentTo(Propose.class)).isEqualTo(usual.everyone);
    usual.trip(usual.everyone.without(one));
    assertThat(usual.isDone(first)).isTrue();
    assertThat(usual.isDone(second)).isTrue();

    stage.order(MANY);
    first = stage.submit();
    assertThat(stage.sentTo(Propose.class)).isEqualTo(drawn);
    second = stage.submit(ALL);
    stage.pass(TRIP / 2);
    assertThat(stage.sentTo(Propose.class)).isEqualTo(stage.everyone);
    stage.reach(stage.everyone.without(one));
    assertThat(stage.isDone(first)).isTrue();
    assertThat(stage.isDone(second)).isTrue();
  }

  @Test
  void whatNobodyWaitsForAnyMoreIsAskedAsUsual() {
    long call = stage.call(new ReadObject(OBJECT, GrowingText.MODEL, TRIP).with(ALL));
    assertThat(stage.sentTo(Get.class)).isEqualTo(stage.everyone);
    stage.lose();
    stage.pass(2 * TRIP);
    assertThat(stage.isDone(call)).isTrue();
    stage.lose();
    stage.pass(3_000 * MILLI);
    stage.lose();
    long unused = stage.submit();
    assertThat(stage.sentTo(Get.class)).isEqualTo(drawn);
  }
}
