package io.testudo.ordering.client;

import static io.testudo.ordering.client.AccessStage.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.log.Mode;
import io.testudo.quorum.Access;
import io.testudo.quorum.QuorumKind;
import io.testudo.quorum.ServerId;
import org.junit.jupiter.api.Test;

/** A client of objects that asks one quorum first, far away from its servers. */
class SlowQuorumTest {
  private final AccessStage stage =
      new AccessStage(
          QuorumKind.LEAST.thresholds(Mode.SEALED_STATEMENTS.need(), 7, 1),
          Access.QUORUM,
          Mode.SEALED_STATEMENTS);

  private void orderIn(long millis) {
    long call = stage.submit();
    while (!stage.isDone(call)) {
      stage.pass(millis * MILLI);
      stage.reach(stage.everyone);
    }
  }

  /** The next ballot would ask the same servers. */
  @Test
  void asksTheOthersBeforeItGivesUpHoweverLongRoundTripsTake() {
    double millis = 190; // What takes longer at first is not measured: others are asked.
    for (int i = 0; i < 50; i++) {
      orderIn((long) millis);
      millis = Math.min(900, 1.15 * millis);
    }
    for (int i = 0; i < 3; i++) {
      orderIn(10); // Who sees that they differ so much waits for long.
    }
    stage.lose();
    ServerId one = stage.drawn.iterator().next();
    long call = stage.submit();
    stage.trip(stage.drawn.without(one));
    stage.pass(1_900 * MILLI);
    stage.reach(stage.others);
    assertThat(stage.isDone(call)).isTrue();
  }
}
