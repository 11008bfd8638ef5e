package io.testudo.ordering.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.testudo.ordering.TimeToLive;
import io.testudo.ordering.log.OpId;
import io.testudo.ordering.log.SubmittedOperation;
import io.testudo.ordering.objects.CounterObject;
import io.testudo.ordering.typed.LifeOperations;
import io.testudo.ordering.typed.TypedModel;
import io.testudo.quorum.Bytes;
import io.testudo.quorum.Right;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What servers ask of who hands an operation in. */
class SubmitRightsTest {
  private static final TypedModel<Long> COUNTER = new TypedModel<>(CounterObject.TYPE);
  private static final Bytes ADD = COUNTER.operation(CounterObject.ADD, 7L);
  private static final TimeToLive HOUR = TimeToLive.of(Duration.ofHours(1));

  private static Right rightFor(Bytes operation) {
    OpId id = new OpId(1, 1);
    return new Submit("it", new SubmittedOperation(id, 0, operation, Optional.empty())).right();
  }

  @Test
  void whatATypeHasIsForWhoMaySubmit() {
    assertThat(rightFor(ADD)).isEqualTo(Right.SUBMIT);
    assertThat(rightFor(LifeOperations.settle())).isEqualTo(Right.SUBMIT);
    assertThat(rightFor(Bytes.EMPTY)).isEqualTo(Right.SUBMIT);
    assertThat(rightFor(Bytes.wrap(new byte[] {0}))).isEqualTo(Right.SUBMIT);
  }

  @Test
  void whatEndsAnObjectIsForWhoMayOrder() {
    assertThat(rightFor(LifeOperations.delete())).isEqualTo(Right.ORDER);
    assertThat(rightFor(LifeOperations.expireAfter(HOUR))).isEqualTo(Right.ORDER);
    assertThat(rightFor(LifeOperations.create(HOUR, ADD))).isEqualTo(Right.ORDER);
    assertThat(rightFor(Bytes.wrap(new byte[] {0, 100}))).as("yet to come").isEqualTo(Right.ORDER);
  }

  /** Else it could look like one and be applied as another. */
  @Test
  void numbersThatAreWrittenOtherwiseAreNone() {
    Bytes delete = Bytes.wrap(new byte[] {(byte) 0x80, 0, (byte) 0x82, 0});
    assertThat(COUNTER.canApply(COUNTER.initial(), delete, 0)).isFalse();
    assertThat(rightFor(delete)).isEqualTo(Right.SUBMIT);
  }
}
